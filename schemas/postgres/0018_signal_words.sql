-- The longer words of each signal, for those that share some of them. By workspace and word, the newest first: a look-up reads no further than it
-- needs, where the full-text index would read every signal of every workspace that has the word. A word is kept as its hash.
create table signal_words (
  workspace_id uuid not null,
  word bigint not null,
  number integer not null,
  signal_id uuid not null,
  primary key (workspace_id, word, number) include (signal_id),
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade
);
select guard_by_workspace('signal_words');
grant select, insert, delete on signal_words to assay_app, assay_pipeline;

create function word_hash(lexeme text) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(lexeme, 0)
$$;

-- The words of a text that say the most about it, as far as their length tells: those of at least four letters, the longest first.
create function telling_words(search tsvector, at_most integer) returns setof text language sql immutable parallel safe as $$
  select lexeme from unnest(tsvector_to_array(search)) as lexeme
  where length(lexeme) >= 4
  order by length(lexeme) desc, lexeme
  limit at_most
$$;

-- Whoever writes a signal's text writes its words with it.
create function store_signal_words() returns trigger language plpgsql as $$
begin
  insert into signal_words (workspace_id, word, number, signal_id)
  select added.workspace_id, word_hash(lexeme), added.number, added.id
  from added cross join lateral telling_words(added.search, 10) as lexeme
  on conflict do nothing;
  return null;
end
$$;

create function replace_signal_words() returns trigger language plpgsql as $$
begin
  if not exists (select from added join removed using (id) where added.search is distinct from removed.search) then
    return null;
  end if;
  delete from signal_words using added join removed using (id)
  where added.search is distinct from removed.search
    and signal_words.workspace_id = removed.workspace_id
    and signal_words.number = removed.number
    and signal_words.word in (select word_hash(lexeme) from unnest(tsvector_to_array(removed.search)) as lexeme);
  insert into signal_words (workspace_id, word, number, signal_id)
  select added.workspace_id, word_hash(lexeme), added.number, added.id
  from added join removed using (id) cross join lateral telling_words(added.search, 10) as lexeme
  where added.search is distinct from removed.search
  on conflict do nothing;
  return null;
end
$$;

insert into signal_words (workspace_id, word, number, signal_id)
select workspace_id, word_hash(lexeme), number, id
from signals cross join lateral telling_words(search, 10) as lexeme
on conflict do nothing;

create trigger signals_words_stored after insert on signals
  referencing new table as added
  for each statement execute function store_signal_words();
create trigger signals_words_replaced after update on signals
  referencing old table as removed new table as added
  for each statement execute function replace_signal_words();

-- Its only caller looks words up here.
drop function signals_with_word(uuid, text, integer);
