-- What is not in the text of a mail is a guess of its reader: what it quotes, its signature, its footer. So all of it
-- is kept beside the text. In columns of their own, which no list reads: they are as long as mails are.

alter table signals
  add column cut_signature text,
  add column cut_quoted text,
  add column cut_footer text,
  add column cut_omitted integer check (cut_omitted > 0);
comment on column signals.cut_signature is
  'What is not in the text, since it was taken for a signature. Nothing is classified, compared or clustered by it.';
comment on column signals.cut_quoted is 'The same: since it was taken for what others wrote before.';
comment on column signals.cut_footer is
  'The same: since it was taken for what a program or a company puts below each mail.';
comment on column signals.cut_omitted is
  'How many characters of these were too many to keep; null when all were kept.';

alter table occurrences
  add column cut_signature text,
  add column cut_quoted text,
  add column cut_footer text,
  add column cut_omitted integer check (cut_omitted > 0);
comment on column occurrences.cut_quoted is
  'This and the others that begin so are what the signal has under these names.';

-- What a mail quotes was a field of its metadata, which lists read. As the role that sees all of one workspace.
do $$
declare
  workspaces_of uuid[];
  workspace uuid;
begin
  set local role assay_accounts;
  workspaces_of := array(select id from workspaces);
  set local role assay_transfer;
  foreach workspace in array workspaces_of loop
    perform set_config('assay.workspace_id', workspace::text, true);
    update signals set cut_quoted = nullif(metadata ->> 'quoted', ''), metadata = metadata - 'quoted'
      where channel = 'email' and metadata ? 'quoted';
    update occurrences set cut_quoted = nullif(metadata ->> 'quoted', ''), metadata = metadata - 'quoted'
      where channel = 'email' and metadata ? 'quoted';
  end loop;
  perform set_config('assay.workspace_id', '', true);
  reset role;
end
$$;

-- The search finds their words.
drop trigger signals_changes_noted_in_search on signals;
create trigger signals_changes_noted_in_search
  after update of text, event, source, source_url, actor_name, metadata, cut_signature, cut_quoted, cut_footer on signals
  for each row when (
    old.text is distinct from new.text or old.event is distinct from new.event or old.source is distinct from new.source
    or old.source_url is distinct from new.source_url or old.actor_name is distinct from new.actor_name
    or old.metadata is distinct from new.metadata or old.cut_signature is distinct from new.cut_signature
    or old.cut_quoted is distinct from new.cut_quoted or old.cut_footer is distinct from new.cut_footer)
  execute function note_search_entry('signal');
drop trigger occurrences_changes_noted_in_search on occurrences;
create trigger occurrences_changes_noted_in_search
  after update of text, source, source_url, actor_name, metadata, signal_id, cut_signature, cut_quoted, cut_footer
  on occurrences
  for each row when (
    old.text is distinct from new.text or old.source is distinct from new.source
    or old.source_url is distinct from new.source_url or old.actor_name is distinct from new.actor_name
    or old.metadata is distinct from new.metadata or old.signal_id is distinct from new.signal_id
    or old.cut_signature is distinct from new.cut_signature or old.cut_quoted is distinct from new.cut_quoted
    or old.cut_footer is distinct from new.cut_footer)
  execute function note_search_entry('repeat');
