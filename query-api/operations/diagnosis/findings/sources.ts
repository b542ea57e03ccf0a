import { DAY_MS } from '../../../../schemas/domain/durations.ts'
import { counted } from '../../../../schemas/domain/for-people.ts'
import { type Check, daysBefore, named, type SourceFacts } from '../finding.ts'

/** Findings about missing and unused sources. */

const SILENT_AFTER_DAYS = 7

/** The call that leads to a first source. */
const CONNECT = {
  tool: 'service_connect',
  mode: 'find',
  arguments: {},
  reason: 'Says how each kind of source is connected; you may create connections yourself.',
} as const

const noSource: Check = ({ sources, evidence: { workspace_days: days, has_imports }, now }) =>
  sources.length > 0 || has_imports
    ? null
    : {
        finding: 'no_source',
        severity: 'broken',
        cause: 'No source is connected, so no evidence arrives by itself.',
        evidence: '0 sources.',
        since: daysBefore(now, days),
        mended_by: 'member',
        next: CONNECT,
        remedy: 'Create a connection, or have a person create a source in the app under Settings → Sources.',
      }

const newestOf = (last: Date | null): string => (last === null ? '' : `, the newest received ${last.toISOString()}`)

/** A workspace with file imports alone is intended that way. */
const importsAlone: Check = ({ sources, evidence, now }) =>
  sources.length > 0 || !evidence.has_imports
    ? null
    : {
        finding: 'imports_alone',
        severity: 'note',
        cause: 'Signals come by imported files alone: no source is connected, so nothing arrives between two imports.',
        evidence: `0 sources, ${counted(evidence.signals, 'Signal')}${newestOf(evidence.last_signal_at)}.`,
        since: daysBefore(now, evidence.workspace_days),
        mended_by: 'member',
        next: CONNECT,
        remedy: 'Nothing needs to be done. Create a source where evidence should arrive by itself.',
      }

const noRecentSignal: Check = ({ sources, evidence: { last_signal_at: last }, now }) => {
  const days = last === null ? null : Math.floor((now.getTime() - last.getTime()) / DAY_MS)
  if (sources.length === 0 || (days !== null && days < SILENT_AFTER_DAYS)) return null
  return {
    finding: 'no_recent_signal',
    severity: days === null ? 'broken' : 'degraded',
    cause: 'Sources are connected but nothing arrives: the sender is not set up, or its requests are refused.',
    evidence:
      last === null
        ? 'No Signal ever.'
        : `The newest Signal was received ${last.toISOString()}, ${counted(days ?? 0, 'day')} ago.`,
    since: last?.toISOString() ?? daysBefore(now, Math.max(...sources.map(({ age_days: age }) => age))),
    mended_by: 'member',
    next: {
      tool: 'service_connect',
      mode: 'list',
      arguments: {},
      reason: 'Shows each source’s address, when something last came, and what was refused.',
    },
    remedy: 'Send a request of service_connect mode test to a source, and read its answer.',
  }
}

const paused: Check = ({ sources, now }) => {
  const found = sources.filter(source => source.paused)
  const [first] = found
  if (first === undefined) return null
  const refused = found.reduce((sum, source) => sum + (source.lastDay?.refused_last_day ?? 0), 0)
  return {
    finding: 'source_paused',
    severity: 'waiting',
    cause: 'Sources are paused: their senders are told to come back later, and some give up after a while.',
    since: daysBefore(now, first.paused_days ?? 0),
    mended_by: 'member',
    evidence: `${named(found)}, the first for ${counted(Math.floor(first.paused_days ?? 0), 'day')}; ${counted(refused, 'request')} refused in 24 hours.`,
    next: {
      tool: 'service_support',
      mode: 'source',
      arguments: { id: first.id },
      reason: 'Shows what it refuses meanwhile.',
    },
    remedy: 'Resume with service_connect mode update, paused false, once the reason for the pause is over.',
  }
}

/** Metrics have their own findings, by their points. */
const isSilent = ({ kind, paused: isPaused, age_days: age, lastDay }: SourceFacts, now: Date): boolean => {
  if (isPaused || kind === 'metric' || lastDay === undefined) return false
  if (lastDay.last_seen_at === null) return age >= 1
  return now.getTime() - Date.parse(lastDay.last_seen_at) >= SILENT_AFTER_DAYS * DAY_MS
}

const silentSource: Check = ({ sources, now }) => {
  const found = sources.filter(source => isSilent(source, now))
  const [first] = found
  if (first === undefined) return null
  const last = first.lastDay?.last_seen_at ?? null
  return {
    finding: 'source_silent',
    severity: 'degraded',
    cause: 'Nothing comes to these sources, not even what is refused: their senders are not set up, or stopped.',
    since: last === null ? daysBefore(now, first.age_days) : new Date(last).toISOString(),
    mended_by: 'sender',
    evidence: `${named(found)}; the first ${last === null ? 'never received anything' : `last received something ${last}`}.`,
    next:
      first.kind === 'email'
        ? {
            tool: 'service_support',
            mode: 'source',
            arguments: { id: first.id },
            reason: 'Shows the address to write to.',
          }
        : {
            tool: 'service_connect',
            mode: 'test',
            arguments: { id: first.id },
            reason: 'A right request, ready to send.',
          },
    remedy: 'Set the sender up with the address and secret, or have a person delete a source that nobody needs.',
  }
}

const unreadable: Check = ({ sources, started_at }) => {
  const found = sources.filter(source => source.unreadable)
  const [first] = found
  if (first === undefined) return null
  return {
    finding: 'secret_unreadable',
    severity: 'broken',
    cause: 'Secrets were sealed with another installation key, so no signature of these sources can be verified.',
    since: started_at.toISOString(),
    mended_by: 'operator',
    evidence: `${found.length} of ${counted(sources.length, 'source')}: ${named(found)}.`,
    next: {
      tool: 'service_support',
      mode: 'source',
      arguments: { id: first.id },
      reason: 'Shows what it answers meanwhile.',
    },
    remedy: 'An operator restores the installation key, or the secrets are rotated and given to the senders.',
  }
}

const mailDomainMissing: Check = ({ sources, takes_mail: takesMail, started_at }) => {
  const found = sources.filter(({ kind }) => kind === 'email')
  const [first] = found
  if (takesMail || first === undefined) return null
  return {
    finding: 'mail_domain_missing',
    severity: 'broken',
    cause: 'The workspace has an ingestion address, and this installation takes no mail.',
    since: started_at.toISOString(),
    mended_by: 'operator',
    evidence: `${found.length} source of kind email: ${named(found)}; INGEST_MAIL_DOMAIN is not set.`,
    next: {
      tool: 'service_support',
      mode: 'source',
      arguments: { id: first.id },
      reason: 'Shows what came while it did.',
    },
    remedy: 'An operator sets INGEST_MAIL_DOMAIN for the edge and the query API.',
  }
}

export const SOURCE_CHECKS: readonly Check[] = [
  noSource,
  importsAlone,
  unreadable,
  mailDomainMissing,
  noRecentSignal,
  silentSource,
  paused,
]
