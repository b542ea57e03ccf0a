-- Full text over everything that is searched: a generated column `search` per table, and an index that holds each row's
-- workspace as one more word. A look-up then reads the rows of one workspace, however many others use the same words.
--
-- Under row-level security a full-text match would read the whole workspace: the planner may not use such an index
-- before the policy is checked. `rows_with_words` checks the workspace itself and works as `assay_search`, a role that
-- sees every row, so that the index is used.

-- `array_to_string` counts as stable, for types whose text depends on settings. That of texts does not.
create function joined_texts(texts text[]) returns text language sql immutable parallel safe as $$
  select array_to_string(texts, ' ')
$$;

create function words_in_workspace(workspace_id uuid, search tsvector) returns tsvector
  language sql immutable parallel safe as $$
  select array_to_tsvector(array[workspace_id::text]) || search
$$;

-- An index of words gathers what is new in a list, by default of 4 MB, and hands the work of all of it to the row with
-- which the list is full: 0.7 s of the embedded database for one signal that came at the wrong time. With a list of
-- 64 kB, the least there is, that is 50 ms. A look-up, which goes through the list, has less to go through.
create function make_searchable(searched text) returns void language plpgsql as $$
begin
  execute format(
    'create index %1$s_by_words on %1$I using gin (words_in_workspace(workspace_id, search))
       with (gin_pending_list_limit = 64)',
    searched
  );
  execute format('grant select (id, workspace_id, search) on %I to assay_search', searched);
  execute format('create policy search on %I for select to assay_search using (true)', searched);
end
$$;

-- Rows of the transaction's workspace that `words` match, the best first among the newest so many (ids grow with time).
-- `searched` is the table's name. The beginning of a word would find the word for the workspace too: of sixteen
-- workspaces, one has an id with which a search for "1" begins. Where the words could be found in the id, a row's own
-- are looked at as well. Not otherwise: for 10,000 rows it takes more than 20 ms.
create function rows_with_words(searched text, words tsquery, at_most integer) returns table (id uuid, rank real)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  workspace uuid := nullif(current_setting('assay.workspace_id', true), '')::uuid;
  own_words text := '';
begin
  if workspace is null or numnode(words) = 0 then
    return;
  end if;
  if strpos(words::text, ':*') > 0 or strpos(words::text, workspace::text) > 0 then
    own_words := format('and search @@ %L::tsquery', words);
  end if;
  -- Planned anew for each call: whether to look the words up, or to go through the newest rows, depends on how
  -- frequent they are.
  return query execute format(
    'select newest.id, ts_rank(newest.search, %1$L::tsquery) as rank
     from (
       select id, search from %2$I
       where workspace_id = %3$L and words_in_workspace(workspace_id, search) @@ %4$L::tsquery %6$s
       order by id desc limit %5$s
     ) as newest
     order by rank desc, newest.id desc',
    words, searched, workspace, quote_literal(workspace)::tsquery && words, at_most, own_words
  );
end
$$;
-- A function is handed over to a role that may create in its schema.
grant create on schema public to assay_search;
alter function rows_with_words(text, tsquery, integer) owner to assay_search;
revoke create on schema public from assay_search;
revoke execute on function rows_with_words(text, tsquery, integer) from public;
grant execute on function rows_with_words(text, tsquery, integer) to assay_app;
