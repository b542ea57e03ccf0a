import assert from 'node:assert/strict'
import { type AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import type { Workspace } from '../testing.ts'

/** The error of a call that must fail. */
export const refusal = async (calling: Promise<unknown>): Promise<AssayError> => {
  try {
    await calling
  } catch (error) {
    assert.ok(isAssayError(error), String(error))
    return error
  }
  return assert.fail('The call succeeded.')
}

/** A claim as a person sees it: state, signals, Solutions, merged claims, and claims that are kept apart. */
export const claimView = async (workspace: Workspace, id: string) => {
  const { data } = await workspace.call('service_lookup', 'claim', { id })
  return {
    reference: data.reference as string,
    state: data.state as string,
    evidence: data.evidence.items.map((one: { reference: string }) => one.reference).toSorted() as string[],
    solutions: data.answering_solutions.map((one: { reference: string }) => one.reference) as string[],
    merged: data.merged_references as string[],
    apart: data.kept_apart.map((one: { claim: string }) => one.claim).toSorted() as string[],
  }
}

/** The waiting pairs, as references. */
export const waitingPairs = async (workspace: Workspace): Promise<string[]> => {
  const { data } = await workspace.call('service_lookup', 'proposals')
  return data.items
    .map(
      (one: { claim: { reference: string }; candidate: { reference: string } }) =>
        `${one.claim.reference} ${one.candidate.reference}`,
    )
    .toSorted()
}
