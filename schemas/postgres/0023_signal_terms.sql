-- The words of what was said, as an index of them in memory takes them: see `model/words`.

create table signal_terms (
  signal_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  place bigint not null generated always as identity,
  terms bytea storage external not null,
  primary key (signal_id, id),
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade
);
comment on table signal_terms is
  'The words of each text that says what a signal says. Which texts share rare words is told by an index in memory, '
  'which every program builds from these rows.';
comment on column signal_terms.id is 'The text: the signal''s own id, or that of a repeat of it.';
comment on column signal_terms.place is
  'Counts up as rows are stored, and never back: whoever keeps words in memory asks for what came after the last place '
  'that it knows. A text that is stored again gets a new place.';
comment on column signal_terms.terms is
  'Five bytes a word: its hash, and how often the title and the rest have it; see `infra/word-index/terms.ts`.';
create unique index signal_terms_by_place on signal_terms (workspace_id, place);
select guard_by_workspace('signal_terms', looked_up_by_index => true);
-- Where it writes a text anew, the words of before go.
grant select, delete on signal_terms to assay_app;
grant select, insert, update, delete on signal_terms to assay_pipeline;

-- Whoever writes a signal's text anew stores its words anew. Until then it has none, rather than those of before.
create function remove_signal_terms() returns trigger language plpgsql as $$
begin
  delete from signal_terms where signal_id = new.id and id = new.id;
  return null;
end
$$;
create trigger signals_terms_removed after update of text on signals
  for each row when (old.text is distinct from new.text) execute function remove_signal_terms();
