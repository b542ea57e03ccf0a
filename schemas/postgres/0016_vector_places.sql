-- A vector's place among those of its workspace and model, in the order in which they were stored: whoever keeps neighbours in memory asks for
-- what came after the last place that it knows. The signal's number cannot say that, since an old signal may get a vector of another model late.
alter table signal_vectors rename column number to place;
drop index signal_vectors_by_workspace;
create unique index signal_vectors_by_place on signal_vectors (workspace_id, model, place);
grant delete on signal_vectors to assay_pipeline;
