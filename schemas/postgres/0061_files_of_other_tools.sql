-- Files as other tools export them: JSON with an array of records, and texts that are not UTF-8.

alter table transfers drop constraint transfers_format_check;
alter table transfers add constraint transfers_format_check
  check (format in ('csv', 'json_lines', 'json', 'workspace'));
alter table transfers add column encoding text not null default 'utf-8'
  check (encoding in ('utf-8', 'utf-16', 'windows-1252'));
comment on column transfers.encoding is 'What the file was written in when it came. Its pieces are UTF-8.';
