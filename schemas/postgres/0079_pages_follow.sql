-- The newest of what anybody changed, and of what was done to members, rules and sources: a page that shows any of it
-- follows. Whoever watches the workspace looks at the end of each index.

create index changes_in_order on changes (workspace_id, place desc);
create index audit_log_of_workspace on audit_log (workspace_id, at desc, id desc) where workspace_id is not null;
grant select (id, workspace_id, at) on audit_log to assay_pipeline;
