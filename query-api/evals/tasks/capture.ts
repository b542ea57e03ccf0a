import { capture, decide, lookup, refused, type Task } from '../task.ts'

const OF_OLD_LIST = {
  signal_id: 'SIG-11',
  claim_id: 'CLM-1',
  reason: 'Whoever wants exports by mail does so because they time out.',
}

export const captureTasks: readonly Task[] = [
  {
    wants: 'A customer, Ola, told me on the phone: “The invoice mail is blank in Outlook.” Keep that.',
    calls: [
      capture('signal', { text: 'The invoice mail is blank in Outlook.', actor_name: 'Ola', source: 'phone call' }),
    ],
    holds: [
      { answer: 1, path: 'data.status', is: 'in_pipeline' },
      { answer: 1, path: 'data.next', includes: 'service_lookup mode signal' },
    ],
  },
  {
    wants:
      'My old list says that SIG-11 belongs to CLM-7: whoever wants exports by mail does so because they time out.',
    slip: 'The list names a claim that was merged since.',
    calls: [refused(capture('evidence', { ...OF_OLD_LIST, claim_id: 'CLM-7' })), capture('evidence', OF_OLD_LIST)],
    holds: [
      { answer: 2, path: 'data.signal.state', is: 'accepted' },
      { answer: 2, path: 'data.claim.reference', is: 'CLM-1' },
      {
        read: lookup('claim', { id: 'CLM-1' }),
        path: 'data.evidence.items.*.reference',
        includes: 'SIG-11',
      },
    ],
  },
  {
    wants: 'Whoever builds SOL-3 should know that our mail provider takes no attachments over 10 MB.',
    calls: [capture('knowledge', { id: 'SOL-3', text: 'Our mail provider takes no attachments over 10 MB.' })],
    holds: [
      {
        read: lookup('context', { id: 'SOL-3' }),
        path: 'data.notes.items.*.text',
        is: ['Our mail provider takes no attachments over 10 MB.'],
      },
    ],
  },
  {
    wants: 'Ask whoever works on SOL-3 whether it also covers invoices, then show me what was said about it.',
    calls: [
      capture('comment', { id: 'SOL-3', text: 'Does it also cover invoices?' }),
      lookup('comments', { id: 'SOL-3' }),
    ],
    holds: [
      { answer: 1, path: 'data.about', is: 'SOL-3' },
      { answer: 2, path: 'data.items.*.text', includes: 'Does it also cover invoices?' },
    ],
  },
  {
    wants: 'I look after SOL-3 from now on.',
    calls: [decide('assign', { id: 'SOL-3', owner: 'me' })],
    holds: [{ answer: 1, path: 'data.about.reference', is: 'SOL-3' }],
  },
]
