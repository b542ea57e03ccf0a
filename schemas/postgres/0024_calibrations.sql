create table embedding_calibrations (
  workspace_id uuid not null references workspaces (id),
  model text not null,
  knots jsonb not null check (jsonb_typeof(knots) = 'array'),
  made_pairs integer not null,
  labelled_pairs integer not null,
  same_share real,
  copies_share real,
  through_place integer not null,
  fitted_at timestamptz not null default now(),
  primary key (workspace_id, model)
);
comment on table embedding_calibrations is
  'What the cosine of an embedding model means for a workspace''s texts, as the job `calibrate` fitted it. A model that '
  'comes with a calibration has no row.';
comment on column embedding_calibrations.knots is
  'Pairs of the raw cosine and the scale that the thresholds are on, both rising.';
comment on column embedding_calibrations.made_pairs is
  'How many pairs the job made of the workspace''s own signals: copies with slips, greetings and the like, and texts in '
  'which a word was exchanged.';
comment on column embedding_calibrations.labelled_pairs is 'How many pairs people had confirmed or refused.';
comment on column embedding_calibrations.same_share is
  'Of the pairs at 0.88 and above, the share that say the same; null when no pair gets there.';
comment on column embedding_calibrations.copies_share is 'Of the copies, the share that is at 0.88 and above.';
comment on column embedding_calibrations.through_place is 'The newest vector of the model, by its place, when it was fitted.';
select guard_by_workspace('embedding_calibrations');
grant select on embedding_calibrations to assay_app;
grant select, insert, update, delete on embedding_calibrations to assay_pipeline;

alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check check (kind in (
  'replay', 're_embed', 're_scrub', 're_anchor', 're_judge', 'check_import', 'import', 'export', 'review', 'take_out',
  'learn', 'calibrate'));
