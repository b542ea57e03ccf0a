-- Everybody in a workspace is shown what was removed from it for good and by whom. Of the audit log they read those
-- entries alone, and of each neither its details nor where a request came from.

create policy removals_alone on audit_log as restrictive for select to assay_app using (action in (
  'delete_source', 'erase_source', 'erase_signal', 'erase_person', 'take_back_import', 'remove_member'));
grant select (id, workspace_id, action, at, by_name, key_label, subject_id, subject) on audit_log to assay_app;
