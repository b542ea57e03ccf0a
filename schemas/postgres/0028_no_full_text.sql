-- The search has its words in memory (`search_entries`): what the database kept for it goes.

drop trigger signals_words_stored on signals;
drop trigger signals_words_replaced on signals;
drop trigger signals_words_removed on signals;
drop function store_signal_words();
drop function replace_signal_words();
drop function remove_signal_words();
drop function searchable_words(tsvector, integer);
drop function word_hash(text);
drop table signal_words;

drop function rows_with_words(text, tsquery, integer);
drop function make_searchable(text);
do $$
declare
  searched text;
begin
  foreach searched in array array[
    'signals', 'occurrences', 'claims', 'solutions', 'map_nodes', 'decisions', 'living_documents', 'knowledge_notes'
  ] loop
    execute format('drop policy search on %I', searched);
    execute format('revoke select (id, workspace_id) on %I from assay_search', searched);
    execute format('drop index %I', searched || '_by_words');
    execute format('alter table %I drop column search', searched);
  end loop;
end
$$;
drop function words_in_workspace(uuid, tsvector);
drop function joined_texts(text[]);
