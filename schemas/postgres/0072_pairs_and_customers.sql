-- Facts of customers that are more than a word, and what many signals of a workspace share.

create function revenue_in(metadata jsonb) returns double precision language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(told) = 'number' then (told #>> '{}')::double precision
    when number ~ '^-?[0-9]+([.][0-9]+)?$' then number::double precision * factor
  end
  from (
    select case when coalesce(metadata ->> 'revenue', '') <> '' then metadata -> 'revenue'
      when coalesce(metadata ->> 'mrr', '') <> '' then metadata -> 'mrr' else metadata -> 'arr' end as told
  ) as sent
  cross join lateral (
    select left(told #>> '{}', 40) as written where jsonb_typeof(told) in ('string', 'number')
  ) as said
  cross join lateral (
    select rtrim(regexp_replace(substring(written from '-?[0-9][0-9.,''’[:space:]]*'), '[''’[:space:]]', '', 'g'), '.,') as digits,
      case lower(substring(written from '[0-9][[:space:]]*([kKmM])(?![[:alpha:]])')) when 'k' then 1e3 when 'm' then 1e6 else 1 end as factor
  ) as found
  cross join lateral (
    select case
      when digits ~ '^-?[0-9]{1,3}([.][0-9]{3})+$' or digits ~ '^-?[0-9]{1,3}(,[0-9]{3})+$' then translate(digits, '.,', '')
      when digits ~ '[.].*,' then replace(replace(digits, '.', ''), ',', '.')
      when digits ~ ',.*[.]' then replace(digits, ',', '')
      else replace(digits, ',', '.')
    end as number
  ) as plain
$$;
comment on function revenue_in(jsonb) is
  'The revenue that a sender told beside a signal, as a number: 12,000.50, 12.000,50 €, 12k. Null where it is none.';

create function tags_in(metadata jsonb) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct left(btrim(tag), 200)) filter (where btrim(tag) <> ''), '{}')
  from (select coalesce(metadata -> 'tags', metadata -> 'labels', metadata -> 'tag') as told) as sent
  cross join lateral (
    (select jsonb_array_elements_text(told) as tag where jsonb_typeof(told) = 'array' limit 50)
    union all
    (select regexp_split_to_table(left(told #>> '{}', 4000), '[,;|]') where jsonb_typeof(told) in ('string', 'number') limit 50)
  ) as each
$$;
comment on function tags_in(jsonb) is 'The tags that a sender told beside a signal, each once, in a list or one text.';

alter table theme_runs add column shared_passages integer[] not null default '{}';
comment on column theme_runs.shared_passages is
  'Hashes of the lines and sentences that recur in unlike signals, such as a greeting or a label of a form: they say '
  'nothing of one signal. No words are kept.';

-- Why a pair was proposed is said about the pair.
update merge_proposals set reason = 'The two are alike in their words, or in what they mean.'
where reason = 'Words or meaning are near; no judge is configured to say whether the root problem is the same.';
update merge_proposals set reason = 'They mean much the same, in other words.'
where reason = 'Other words, perhaps of another language, mean much the same; no judge is configured to say whether the root problem is the same.';
update merge_proposals set reason = 'The judge was not asked about it: it had found a likelier one.'
where reason = 'Not asked about: the judge had confirmed a better candidate.';
