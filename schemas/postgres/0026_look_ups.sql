-- A batch's look-ups, by the index that they ask for. The policy of the pipeline compares a row's workspace to the batch's list; written as a
-- plain comparison it is a condition that an index led by the workspace takes too, and PostgreSQL 16 then walks the whole list for each look-up
-- (36 of 40 microseconds with 100 workspaces). `is true` leaves it to the row. Every statement of the pipeline on these tables names the
-- workspace or the row itself.
do $$
declare
  guarded regclass;
begin
  foreach guarded in array array['signals', 'signal_words', 'signal_vectors', 'occurrences', 'claim_evidence', 'map_node_vectors']::regclass[] loop
    execute format(
      'alter policy pipeline on %s
         using ((workspace_id = any ((select nullif(current_setting(''assay.workspace_ids'', true), '''')::uuid[])::uuid[])) is true)', guarded);
  end loop;
end
$$;

-- Only the trigger above writes words, beside the signal itself: a foreign key would look each of them up again. What it did at the end
-- of a signal, a trigger does.
alter table signal_words drop constraint signal_words_workspace_id_signal_id_fkey;
create function remove_signal_words() returns trigger language plpgsql as $$
begin
  delete from signal_words using removed
  where signal_words.workspace_id = removed.workspace_id and signal_words.number = removed.number
    and signal_words.word in (select word_hash(lexeme) from unnest(tsvector_to_array(removed.search)) as lexeme);
  return null;
end
$$;
create trigger signals_words_removed after delete on signals
  referencing old table as removed for each statement execute function remove_signal_words();
