-- Texts of one pattern gave many pairs one chance: no limit fell between them, so that none could be asked for. Each is
-- lowered by up to a thousandth, by the id of its pair, and the limits by a thousandth: what waits goes on waiting.

update merge_proposals set chance = chance * (1 - (hashtextextended(id::text, 0) & 65535) / 65536000.0)
where chance is not null and state in ('waiting', 'set_aside');
update proposal_bars set bar = bar * 0.999, asked_to = asked_to * 0.999;
