-- What came of tests of sources: apart from signals, so that nothing counts it.
create table test_signals (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  source_id uuid,
  channel text not null,
  text text not null,
  received_at timestamptz not null,
  stored_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
comment on table test_signals is
  'Tests of sources that came the whole way through the pipeline. No signal, no evidence, in no figure; the newest few are kept until a person removes them.';
comment on column test_signals.id is 'The snippet_id that the sender of the test was answered.';
comment on column test_signals.text is 'What it says, after personal data was removed.';
select guard_by_workspace('test_signals');
grant select, insert, delete on test_signals to assay_pipeline;
grant select, delete on test_signals to assay_app;

-- Who does not want to see the list of first steps any more. The steps themselves follow from what is stored.
create table dismissed_first_steps (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null,
  dismissed_at timestamptz not null default now(),
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references members (workspace_id, user_id) on delete cascade
);
comment on table dismissed_first_steps is 'Members who have put the list of first steps of a workspace away.';
select guard_by_workspace('dismissed_first_steps');
grant select, insert, delete on dismissed_first_steps to assay_app;

-- Whether anybody was invited.
grant select (workspace_id) on invitations to assay_app;
