-- Files as spreadsheets save them where people write neither UTF-8 nor a western charset.

alter table transfers drop constraint transfers_encoding_check;
alter table transfers add constraint transfers_encoding_check check (encoding ~ '^[a-z0-9_-]{1,40}$');
