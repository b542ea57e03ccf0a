import type { ClaimKind, ClaimState } from '../../../../schemas/domain/vocabulary.ts'
import { callOnce, type Input, type Output, usePages } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { mergeAgain, triage, undoDecision, undoMerge, useUndoableAction } from '../../parts/evidence/undo.ts'
import type { TitleSending } from '../../parts/title-field.tsx'

export type Claim = Output<'lookup_claim'>
export type Evidence = Claim['evidence']['items'][number]

/** A claim as its first page has it, with the evidence of all pages read so far. */
export const useClaim = (id: string) => {
  const query = usePages('lookup_claim', { id, depth: 'full' })
  return { ...query, claim: query.first, evidence: query.pages.flatMap(({ evidence }) => evidence.items) }
}

const reverse = (decision_id: string) => callOnce('reverse_decision', { decision_id }, { asks: true })
const updateClaim = async (input: Input<'update_claim'>, asks = false) =>
  (await callOnce('update_claim', input, { asks })).data
interface Linking {
  readonly solution_id: string
  readonly add_claim_ids?: string[]
  readonly remove_claim_ids?: string[]
}

const linkSolution = async (input: Linking) =>
  (await callOnce('update_solution', { ...input, comment: commentOf(input) })).data

const commentOf = ({ solution_id, add_claim_ids, remove_claim_ids = [] }: Linking): string =>
  add_claim_ids === undefined
    ? t('{solution_id} no longer answers {remove_claim_ids}.', {
        solution_id,
        remove_claim_ids: remove_claim_ids.join(', '),
      })
    : t('{solution_id} answers {add_claim_ids}.', { solution_id, add_claim_ids: add_claim_ids.join(', ') })

/**
 * What a person can do with a claim; each can be undone. The same is not done twice while it is on its way; something
 * else, asked for before the page was read again, is done after it. `claim` is undefined while it is read, and then
 * nothing is done.
 */
export const useClaimActs = (claim: Claim | undefined) => {
  const { act, busy, undoLast } = useUndoableAction()
  const {
    reference = '',
    version = 0,
    state: before = 'emerging',
    title: called = '',
    kind: was = 'problem',
  } = claim ?? {}
  return {
    busy,
    undoLast,
    setState: (state: ClaimState) =>
      act({
        change: `state ${state}`,
        run: () => updateClaim({ claim_id: reference, state, version }),
        doneMessage: () => t('{reference} is {state}.', { reference, state: word(state) }),
        undo: ({ claim: changed }) => updateClaim({ claim_id: reference, state: before, version: changed.version }),
      }),
    setKind: (kind: ClaimKind) =>
      act({
        change: `kind ${kind}`,
        run: () => updateClaim({ claim_id: reference, kind, version }),
        doneMessage: () => t('{reference} has the kind {kind}.', { reference, kind: word(kind) }),
        undo: ({ claim: changed }) => updateClaim({ claim_id: reference, kind: was, version: changed.version }),
      }),
    /** On the version that the person has seen: by then the page may show another. */
    rename: (title: string, { expected, asks }: TitleSending) =>
      act({
        change: `title ${title}`,
        isOfForm: true,
        run: () => updateClaim({ claim_id: reference, title, ...expected }, asks),
        doneMessage: () => t('{reference} is renamed.', { reference }),
        undo: ({ claim: changed }) => updateClaim({ claim_id: reference, title: called, version: changed.version }),
      }),
    mergeInto: (into: string) => {
      // Somebody refused the pair, and this person says otherwise.
      const wasApart = claim?.kept_apart.some(apart => apart.claim === into) ?? false
      const input = { claim_id: reference, into_claim_id: into, version, lift_refusal: wasApart }
      return act({
        change: `merge ${into}`,
        run: async () => (await callOnce('merge_claims', input)).data,
        doneMessage: () => t('{reference} is merged into {into}.', { reference, into }),
        undo: ({ decision }) => (wasApart ? undoDecision : undoMerge)(decision),
      })
    },
    pullApart: (merged: string, into: string) =>
      act({
        change: `merged ${merged}`,
        run: () => triage({ action: 'undo', claim_id: merged }),
        doneMessage: () => t('{merged} is separate from {into} again, and stays separate.', { merged, into }),
        undo: () => mergeAgain(merged, into),
      }),
    pullOut: (signal: string) =>
      act({
        change: `signal ${signal}`,
        run: () => triage({ action: 'undo', signal_id: signal, claim_id: reference }),
        doneMessage: ({ claim: own }) =>
          t('{signal} has a claim of its own, {reference}.', { signal, reference: own?.reference }),
        undo: ({ claim: own }) => mergeAgain(own?.reference ?? '', reference),
      }),
    split: (signal_ids: string[]) =>
      act({
        change: `split ${signal_ids.join(' ')}`,
        run: async () => (await callOnce('split_claim', { claim_id: reference, signal_ids, version })).data,
        doneMessage: ({ claim: own }) =>
          t('{reference} is split off {reference2}.', { reference: own.reference, reference2: reference }),
        undo: ({ claim: own }) => mergeAgain(own.id, reference),
      }),
    proposeAgain: (proposal_id: string, other: string) =>
      act({
        change: `proposal ${proposal_id}`,
        run: () => triage({ action: 'undo', proposal_id }),
        doneMessage: () => t('The merge with {other} waits for a decision again.', { other }),
        undo: ({ merges }) =>
          triage({ action: 'refuse_merge', proposal_ids: merges.flatMap(each => each.proposal_id ?? []) }),
      }),
    link: (solution_id: string) =>
      act({
        change: `link ${solution_id}`,
        run: () => linkSolution({ solution_id, add_claim_ids: [reference] }),
        doneMessage: () => t('{solution_id} answers {reference}.', { solution_id, reference }),
        undo: ({ decision }) => reverse(decision.id),
      }),
    unlink: (solution_id: string) =>
      act({
        change: `unlink ${solution_id}`,
        run: () => linkSolution({ solution_id, remove_claim_ids: [reference] }),
        doneMessage: () => t('{solution_id} no longer answers {reference}.', { solution_id, reference }),
        undo: ({ decision }) => reverse(decision.id),
      }),
  }
}

export type ClaimActs = ReturnType<typeof useClaimActs>
