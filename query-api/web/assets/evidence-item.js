import { element } from './api.js'
import { lostCandidates } from './claim-lineage.js'
import { counted, quoted, time } from './show.js'

const ATTACHED_BY = { cluster: 'the pipeline', judge: 'the judge', member: 'a member' }

/** One signal behind a claim, and how it came to be attached. What a judge attached can be pulled out. */
export const evidenceItem = (evidence, act) =>
  element(
    'li',
    { class: 'item', 'aria-label': evidence.reference },
    element(
      'p',
      { class: 'facts' },
      element('strong', {}, evidence.reference),
      element('span', {}, evidence.classification),
      ...(evidence.occurrences > 0 ? [element('span', {}, `repeated ${counted(evidence.occurrences, 'time')}`)] : []),
      ...[evidence.source, evidence.actor_name].filter(Boolean).map(quoted),
      time(evidence.occurred_at),
    ),
    element('p', { class: 'sent', dir: 'auto' }, evidence.text, evidence.text_cut ? '…' : ''),
    element(
      'p',
      { class: 'facts quiet' },
      element('span', {}, `attached by ${ATTACHED_BY[evidence.attached_by]}, `, quoted(evidence.actor)),
      time(evidence.attached_at),
      ...(evidence.came_with.length > 0 ? [element('span', {}, `came with ${evidence.came_with.join(', ')}`)] : []),
      quoted(evidence.reason),
    ),
    ...lostCandidates(evidence.lost_candidates),
    ...(evidence.attached_by === 'judge'
      ? [
          element(
            'div',
            { class: 'actions' },
            element('button', { type: 'button', click: () => act.pullOut(evidence.reference) }, 'Pull out'),
          ),
        ]
      : []),
  )
