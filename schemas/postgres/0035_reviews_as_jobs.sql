-- A Product Review is prepared part by part, as other long work is.
alter table jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check
    check (kind in ('replay', 're_embed', 're_scrub', 're_anchor', 're_judge', 'check_import', 'import', 'export', 'review'));
