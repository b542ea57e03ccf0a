import { DAY_MS } from '../../schemas/domain/durations.ts'
import { type Act, COMMENT } from './decided.ts'
import { livingClaims, signalsOf, type TrueClaim, type Truth } from './truth.ts'

const pick = <Item>(items: readonly Item[], place: number, what: string): Item => {
  const item = items[place]
  if (item === undefined) throw new Error(`There is no ${what} at ${place}.`)
  return item
}

/** People correct what the service made of signals: a kind, a place on the map, and which claim is meant. */
export const correct = async (act: Act, truth: Truth): Promise<void> => {
  const waiting = signalsOf(truth).filter(({ state, snoozed }) => state === 'triage' && !snoozed)
  const question = pick(
    waiting.filter(one => one.classification === 'question'),
    30,
    'question',
  )
  await act(
    'triage',
    { action: 'reclassify', signal_id: question.id, classification: 'unclassified', comment: COMMENT },
    () => {
      question.classification = 'unclassified'
      question.corrected = true
    },
  )
  const moved = pick(
    waiting.filter(({ node }) => node === null),
    40,
    'signal without a node',
  )
  await act('move_signal', { signal_id: moved.id, node_id: 'Spreadsheets' }, () => {
    moved.node = 'Spreadsheets'
  })
  const claims = livingClaims(truth)
  const [one, other] = [pick(claims, 60, 'claim'), pick(claims, 61, 'claim')]
  const [said] = one.evidence
  if (said === undefined) throw new Error(`${one.reference} has no evidence.`)
  const attached = { signal_id: said.id, claim_id: other.reference, reason: 'Both are meant.' }
  await act('attach_evidence', attached, () => {
    other.evidence.add(said)
    // Who says of what it is evidence has decided on it.
    said.state = 'accepted'
  })
  const merged = pick(
    claims.filter(({ evidence }) => evidence.size > 1),
    0,
    'claim of several signals',
  )
  const [apart] = merged.evidence
  if (apart === undefined) throw new Error(`${merged.reference} has no evidence.`)
  await act('split_claim', { claim_id: merged.reference, signal_ids: [apart.id], comment: COMMENT }, data => {
    const { reference } = data.claim
    merged.evidence.delete(apart)
    const claim: TrueClaim = {
      reference,
      kind: merged.kind,
      evidence: new Set([apart]),
      mergedInto: null,
      isDismissed: false,
    }
    truth.claims.set(reference, claim)
  })
}

/** People write beside the evidence, take a Solution to its end, and say what came of it. */
export const finishOne = async (act: Act, truth: Truth): Promise<void> => {
  const solution = pick([...truth.solutions.values()], 3, 'Solution')
  const about = { solution_id: solution.reference, comment: COMMENT }
  const [claim] = livingClaims(truth)
  const said = signalsOf(truth)[0]?.reference
  const mention = '@Product manager, see this.'
  for (const id of [claim?.reference, said, said, solution.reference]) {
    if (id === undefined || id === null) throw new Error('There is nothing to comment on.')
    await act('write_comment', { id, text: mention }, () => {
      truth.comments.set(id, (truth.comments.get(id) ?? 0) + 1)
    })
  }
  await act('save_knowledge', { id: solution.reference, text: 'The export has two steps.' }, () => {
    solution.notes += 1
  })
  for (const [version, markdown] of ['# Export\n\nOne.\nTwo.', '# Export\n\nOne.\nThree.\nFour.'].entries())
    await act('edit_living_document', { ...about, markdown, ...(version > 0 && { version }) }, () => {
      solution.documents.push(markdown)
    })
  const move = async (state: string) =>
    act('update_solution', { ...about, state }, () => {
      solution.state = state
      truth.moves += 1
    })
  await move('Planned')
  await move('In Progress')
  await act('hand_off_solution', { ...about, kind: 'design', url: 'https://assay.test/design' }, () => {
    solution.state = 'In Review'
    solution.handoffs += 1
    truth.moves += 1
  })
  await move('Done')
  const metric_points = truth.metricPoints.map(({ day }) => ({ metric_id: 'A metric', date: day }))
  const outcome = { expectation: 'It is faster.', observation: 'It is.', verdict: 'met', metric_points }
  await act('record_outcome', { ...about, ...outcome }, () => {
    truth.outcomes.push(solution.reference)
  })
  const dead = pick(
    truth.said.filter(({ fate }) => fate === 'dead letter'),
    0,
    'dead letter',
  )
  await act('discard_dead_letters', { signal_id: dead.id, reason: 'It cannot be read.' }, () => {
    dead.discarded = true
  })
  await act('replay_dead_letters', { all: true, dry_run: true })
}

/** People keep a Product Review, of what is true by then, and take an export. */
export const keepAll = async (act: Act, truth: Truth): Promise<void> => {
  await act('save_review', { title: 'The quarter', time: reviewed(), depth: 'full' }, data => {
    truth.review = data.id
  })
  await act('start_export', {})
}

/** The last sixty days, in the days of Berlin. */
const reviewed = () => ({
  from: new Date(Date.now() - 60 * DAY_MS).toISOString().slice(0, 10),
  time_zone: 'Europe/Berlin',
})
