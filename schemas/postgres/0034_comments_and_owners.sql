-- What members and their agents say to each other about a signal, a claim or a Solution, and who looks after it.

create table comments (
  id uuid primary key,
  workspace_id uuid not null,
  signal_id uuid,
  claim_id uuid,
  solution_id uuid,
  text text not null check (length(text) between 1 and 4000),
  author_id uuid not null,
  author_name text not null,
  key_label text,
  written_at timestamptz not null,
  edited_at timestamptz,
  unique (workspace_id, id),
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade,
  foreign key (workspace_id, claim_id) references claims (workspace_id, id) on delete cascade,
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id) on delete cascade,
  check (num_nonnulls(signal_id, claim_id, solution_id) = 1)
);
comment on table comments is 'What a member, or an agent with a key of theirs, wrote about a signal, a claim or a Solution.';
comment on column comments.key_label is 'The key''s label at that time; null when it was written in the app.';
comment on column comments.edited_at is 'When its author last changed it; null while nobody did.';
create index comments_by_signal on comments (workspace_id, signal_id, id desc) where signal_id is not null;
create index comments_by_claim on comments (workspace_id, claim_id, id desc) where claim_id is not null;
create index comments_by_solution on comments (workspace_id, solution_id, id desc) where solution_id is not null;
select guard_by_workspace('comments');
grant select, insert, update, delete on comments to assay_app;
select keep_changes_of('comments', '{id}');

-- No export takes them along: people belong to the installation. Nothing refers to the member, so that what is undone
-- comes back when the member has left; who is no member reads nothing.
create table mentions (
  workspace_id uuid not null,
  comment_id uuid not null,
  member_id uuid not null,
  written_at timestamptz not null,
  read_at timestamptz,
  primary key (comment_id, member_id),
  foreign key (workspace_id, comment_id) references comments (workspace_id, id) on delete cascade
);
comment on table mentions is 'Whom a comment names with an @, and whether they have read it.';
comment on column mentions.written_at is 'When the comment was written.';
comment on column mentions.read_at is 'When the member read it; null while it waits in their inbox.';
create index mentions_of_member on mentions (workspace_id, member_id, comment_id desc);
create index mentions_unread on mentions (workspace_id, member_id) where read_at is null;
select guard_against_other_workspaces('mentions');
select guard_for_sandbox('mentions');
grant select, insert, update, delete on mentions to assay_app;
-- That it was read is no change of what the comment says.
select keep_changes_of('mentions', '{comment_id,member_id}', '{read_at}');

alter table signals add column owner_id uuid;
alter table claims add column owner_id uuid;
alter table solutions add column owner_id uuid;
comment on column signals.owner_id is 'The member who looks after it; null: nobody. Who is no member any more counts as nobody.';
comment on column claims.owner_id is 'As of a signal.';
comment on column solutions.owner_id is 'As of a signal.';
create index claims_by_owner on claims (workspace_id, owner_id) where owner_id is not null;
create index solutions_by_owner on solutions (workspace_id, owner_id) where owner_id is not null;

-- The members of the transaction's workspace, with what they are called now: the app's role reads no accounts.
create function workspace_people() returns table (id uuid, name text, email text, role text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select people.id, people.name, people.email, members.role
  from members join account_users as people on people.id = members.user_id
  where members.workspace_id = nullif(current_setting('assay.workspace_id', true), '')::uuid
$$;

-- A member of the transaction's workspace, as answers show them; null for who is none.
create function workspace_person(person uuid) returns jsonb
  language sql stable strict security definer set search_path = public, pg_temp as $$
  select jsonb_build_object('id', people.id, 'name', people.name)
  from members join account_users as people on people.id = members.user_id
  where members.workspace_id = nullif(current_setting('assay.workspace_id', true), '')::uuid
    and members.user_id = person
$$;
-- A function is handed over to a role that may create in its schema.
grant create on schema public to assay_accounts;
alter function workspace_people() owner to assay_accounts;
alter function workspace_person(uuid) owner to assay_accounts;
revoke create on schema public from assay_accounts;
revoke execute on function workspace_people() from public;
revoke execute on function workspace_person(uuid) from public;
grant execute on function workspace_people() to assay_app;
grant execute on function workspace_person(uuid) to assay_app, assay_pipeline;

-- The last change of what people say to each other and who looks after what: whoever watches the workspace looks there.
create index changes_of_discussions on changes (workspace_id, place desc)
  where operation in ('write_comment', 'edit_comment', 'delete_comment', 'assign_owner', 'undo_change');
grant select (id, workspace_id, place, operation) on changes to assay_pipeline;
