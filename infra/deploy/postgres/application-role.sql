-- Run once by the image, as its superuser, in the database that it has just made. Afterwards nobody logs in as the superuser over the network:
-- it has no password, and the container's own socket asks for none (docker compose exec postgres psql --username=postgres assay).
\getenv password POSTGRES_PASSWORD
create role assay login nosuperuser nocreatedb createrole noreplication nobypassrls password :'password';
alter database assay owner to assay;
-- Who may connect is who may log in: the programs' roles cannot.
revoke connect on database assay from public;
-- Not for everybody to create, as its code runs inside the server.
create extension vector;
alter role current_user password null;
