-- What nobody could classify is perhaps a need, which starts a claim, or noise, which is one look away: see
-- `model/signals/perhaps.ts`.

alter table signals add column perhaps text check (perhaps in ('problem', 'idea'));
comment on column signals.perhaps is
  'The need that an unclassified signal likely speaks of, as the classifier says; null where it likely speaks of none. '
  'What a person says of the signal counts instead.';

-- Noise in the order of lists.
create index signals_of_noise on signals (workspace_id, state, (least(occurred_at, received_at)) desc, number desc)
  where classification = 'unclassified' and classification_confidence > 0.8
    and classification_version not like '%/unknown-language' and channel <> 'code_host';
