-- An account keeps so many sessions: the oldest end when another begins. Nothing of a session is read by which somebody could use it.
grant select (id, user_id, created_at, expires_at), delete on account_sessions to assay_accounts;
