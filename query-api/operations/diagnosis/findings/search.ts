import { counted, plural } from '../../../../schemas/domain/for-people.ts'
import type { Check } from '../finding.ts'

/** Findings about a failing search, and about texts that it cannot find. */

const SEARCH_CALL = { tool: 'service_support', mode: 'diagnose', arguments: {} } as const

const searchFails: Check = ({ search: { failed }, now }) =>
  !failed
    ? null
    : {
        finding: 'search_fails',
        severity: 'broken',
        cause: 'A search for the words of the newest Signal failed.',
        since: now.toISOString(),
        mended_by: 'operator',
        evidence: '1 of 1 searches failed.',
        next: { ...SEARCH_CALL, reason: 'Searches again: the index of words is built anew after a failure.' },
        remedy: 'Ask again in a minute. If it fails again, an operator restarts the query API and reports its log.',
      }

const searchReadsBeginnings: Check = ({ search: { cut, texts }, now }) =>
  cut === 0
    ? null
    : {
        finding: 'search_reads_beginnings',
        severity: 'note',
        cause: 'Some texts have more words than the search holds of one text: it does not find the words at their end.',
        since: now.toISOString(),
        mended_by: 'sender',
        evidence: `${cut} of ${counted(texts, 'text')} ${plural(texts, 'is', 'are')} cut.`,
        next: {
          tool: 'service_lookup',
          mode: 'signals',
          arguments: {},
          reason: 'Lists Signals by time, without their words.',
        },
        remedy: 'Whoever sends them sends shorter texts. Everything else about these texts works.',
      }

export const SEARCH_CHECKS: readonly Check[] = [searchFails, searchReadsBeginnings]
