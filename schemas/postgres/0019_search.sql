-- Full text over everything that is searched. A generated column per table, and an index that holds each row's workspace as one more word: a look-up
-- then reads the rows of one workspace, however many other workspaces use the same words.

-- `array_to_string` counts as stable, for types whose text depends on settings. That of texts does not.
create function joined(texts text[]) returns text language sql immutable parallel safe as $$
  select array_to_string(texts, ' ')
$$;

alter table claims add column search tsvector not null
  generated always as (to_tsvector('simple', title || ' ' || left(statement, 20000))) stored;
alter table solutions add column search tsvector not null
  generated always as (to_tsvector('simple', title || ' ' || summary)) stored;
alter table map_nodes add column search tsvector not null
  generated always as (to_tsvector('simple', name || ' ' || description || ' ' || left(joined(examples), 20000))) stored;
alter table decisions add column search tsvector not null
  generated always as (to_tsvector('simple', statement)) stored;

create function words_in_workspace(workspace_id uuid, search tsvector) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array[workspace_id::text]) || search
$$;

-- Under row-level security a full-text match reads the whole workspace: the planner may not use such an index before the policy is checked.
-- `rows_with_words` checks the workspace itself and works as a role that sees every row, so that the index is used.
create function make_searchable(searched text) returns void language plpgsql as $$
begin
  execute format('create index %1$s_by_words on %1$I using gin (words_in_workspace(workspace_id, search))', searched);
  execute format('grant select (id, workspace_id, search) on %I to assay_search', searched);
  execute format('create policy search on %I for select to assay_search using (true)', searched);
end
$$;

drop policy search on signals;
drop index signals_by_search;
select make_searchable('signals');
select make_searchable('claims');
select make_searchable('solutions');
select make_searchable('map_nodes');
select make_searchable('decisions');

grant create on schema public to assay_search;

-- Rows of the transaction's workspace that `words` match, the best first among the newest so many (ids grow with time). `searched` is the
-- table's name.
create function rows_with_words(searched text, words tsquery, at_most integer) returns table (id uuid, rank real)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  workspace uuid := nullif(current_setting('assay.workspace_id', true), '')::uuid;
begin
  if workspace is null or numnode(words) = 0 then
    return;
  end if;
  -- Planned anew for each call: whether to look the words up, or to go through the newest rows, depends on how frequent they are.
  return query execute format(
    'select newest.id, ts_rank(newest.search, %1$L::tsquery) as rank
     from (
       select id, search from %2$I
       where workspace_id = %3$L and words_in_workspace(workspace_id, search) @@ %4$L::tsquery
       order by id desc limit %5$s
     ) as newest
     order by rank desc, newest.id desc',
    words, searched, workspace, quote_literal(workspace)::tsquery && words, at_most
  );
end
$$;
alter function rows_with_words(text, tsquery, integer) owner to assay_search;
revoke create on schema public from assay_search;
revoke execute on function rows_with_words(text, tsquery, integer) from public;
grant execute on function rows_with_words(text, tsquery, integer) to assay_app;
