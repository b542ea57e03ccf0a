-- The words of a text are kept without the endings of their forms, and names that are put together beside their parts: those of before are
-- made anew when a workspace is read, as for signals that have none.
truncate signal_terms;
