-- A letter of a record that used up the CPU that one record may cost waits for a person, as what is our fault does.
alter table dead_letters drop constraint dead_letters_fault_check;
alter table dead_letters add constraint dead_letters_fault_check
  check (fault in ('sender', 'ours', 'too_costly', 'transient'));
