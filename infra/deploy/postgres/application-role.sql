-- The image runs this once, as superuser, in the new database. Afterwards nobody can log in as superuser over the network, since it has no
-- password. The container's own socket needs none (docker compose exec postgres psql --username=postgres assay).
\getenv password POSTGRES_PASSWORD
create role assay login nosuperuser nocreatedb createrole noreplication nobypassrls password :'password';
alter database assay owner to assay;
-- Only roles that may log in may connect; the programs' roles cannot log in.
revoke connect on database assay from public;
-- Needs a superuser, since its code runs inside of the server.
create extension vector;
alter role current_user password null;
