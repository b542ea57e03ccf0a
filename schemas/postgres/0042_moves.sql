-- Where this database stands in a move of the whole installation to other stores: see `model/moves`.

create table moves (
  only_row boolean primary key default true check (only_row),
  id uuid not null,
  state text not null check (state in ('filling', 'arrived', 'leaving', 'left')),
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  progress jsonb not null default '{}'
);
comment on table moves is
  'The last move of the installation into this database, or out of it. No move takes this row along.';
comment on column moves.id is 'The same on both sides.';
comment on column moves.state is
  '`filling`: rows come in. `arrived`: all are here. `leaving`: they are being copied elsewhere. `left`: the installation '
  'is elsewhere. No program works on one that is filling, leaving or left.';
comment on column moves.progress is 'How far each table is, and what is put back at the end.';
