-- What many unlike signals share, such as a greeting or a template, says nothing about one of them: a vector is made of
-- the rest of the text.

alter table signal_vectors add column own_text integer not null default 0;
comment on column signal_vectors.own_text is
  'Hash of the part of the text that the vector is made of; 0 for the whole text.';
