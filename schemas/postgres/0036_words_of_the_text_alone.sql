-- The index holds each row's workspace as one more word, which the beginning of a word found too: of sixteen workspaces, one has an id with which
-- a search for "1" begins. Where the words could be found in the id, a row's own are looked at as well. Not otherwise: for 10,000 rows it takes
-- more than 20 ms.
create or replace function rows_with_words(searched text, words tsquery, at_most integer) returns table (id uuid, rank real)
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
  -- Planned anew for each call: whether to look the words up, or to go through the newest rows, depends on how frequent they are.
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
