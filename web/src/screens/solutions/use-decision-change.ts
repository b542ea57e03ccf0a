import { useQueryClient } from '@tanstack/react-query'
import {
  type CallOnce,
  call,
  type Input,
  type OperationName,
  type Output,
  operationKey,
  useWrite,
} from '../../api/operations.ts'
import { notifyDone, notifyUndoable } from '../../shell/notify.tsx'

/** Operations whose change hangs on a Decision. */
type Deciding = {
  [Name in OperationName]: Output<Name> extends {
    readonly decision: { readonly reference: string | null; readonly recorded: string }
  }
    ? Name
    : never
}[OperationName]

/** What shows Solutions, or which there are for a claim, and is asked again once one has changed. */
const READS = [
  'lookup_solution',
  'lookup_backlog',
  'lookup_context',
  'list_decisions',
  'lookup_decision',
  'lookup_living_document',
  'lookup_outcome',
  'explain_priority',
  'analyze_solutions',
  'lookup_claim',
  'analyze_claims',
  'list_signals',
  'lookup_signal',
  'orient_roadmap',
  'orient_strategy',
] as const satisfies readonly OperationName[]

/** Asks again for everything that shows Solutions. */
export const useRefetch = (): (() => Promise<unknown>) => {
  const queries = useQueryClient()
  return () => Promise.all(READS.map(name => queries.invalidateQueries({ queryKey: operationKey(name) })))
}

interface Options<Name extends Deciding> {
  /** What is told once it is done. */
  readonly doneMessage: string | ((data: Output<Name>) => string)
  /** False: reversing its Decision would undo nothing, as every version of a text is kept. */
  readonly reversible?: boolean
  /** What is done before, for it to hang on: answers what is then sent. */
  readonly prepare?: (input: Input<Name>, once: CallOnce) => Promise<Input<Name>>
  readonly onDone?: (data: Output<Name>) => void
  /** As of `useWrite`. */
  readonly goOn?: (data: Output<Name>) => void
  /** As of `callOnce`: where a second one would be another of its kind. */
  readonly draft?: string
}

/**
 * A change of a Solution by a human Decision. Done, it says so and offers to reverse that Decision. Refused, what is
 * shown is read again, so that the person decides on what the Solution is by then.
 */
export const useDecisionChange = <Name extends Deciding>(
  operation: Name,
  { doneMessage, reversible = true, prepare = async input => input, onDone, goOn, draft }: Options<Name>,
) => {
  const readAgain = useRefetch()
  const write = async (input: Input<Name>, once: CallOnce) =>
    (await once(operation, await prepare(input, once), { draft })).data
  const change = useWrite(write, { invalidates: READS, ...(goOn && { goOn }) })
  const decide = (input: Input<Name>): void =>
    change.mutate(input, {
      onError: readAgain,
      onSuccess: data => {
        onDone?.(data)
        tell(typeof doneMessage === 'string' ? doneMessage : doneMessage(data), data, reversible, readAgain)
      },
    })
  return { ...change, decide }
}

const tell = (
  doneMessage: string,
  { decision: { reference, recorded } }: Output<Deciding>,
  reversible: boolean,
  readAgain: () => Promise<unknown>,
): void => {
  // An earlier Decision carries more than this change: taking it back is not undoing this.
  if (!reversible || reference === null || recorded === 'before') notifyDone(doneMessage)
  else notifyUndoable(doneMessage, () => call('reverse_decision', { decision_id: reference }).then(readAgain))
}
