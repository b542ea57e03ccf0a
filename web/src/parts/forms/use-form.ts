import { useMemo, useState } from 'react'
import { keepDraft, readDraft, useDraft } from '../../api/drafts.ts'
import {
  type Conflict,
  changesOf,
  conflictsOf,
  type Decided,
  type FormDraft,
  type FormValues,
  isChanged,
  type Snapshot,
  withDecided,
} from './form-model.ts'

/** A dialog's view of its form. */
export interface FormState {
  readonly name: string
  /** Labels by field names. */
  readonly labels: Readonly<Record<string, string>>
  readonly conflicts: readonly Conflict[]
  /** A field's value in words; absent for texts, numbers and lists of them. */
  readonly words?: ((field: string, value: unknown) => string) | undefined
  /** True when an earlier, unsent draft was restored. */
  readonly isContinued: boolean
  /** True when closing the form would lose a change of the person: a proposed one is none. */
  readonly isChanged: boolean
  readonly decide: (field: string, decided: Decided) => void
  /** Called when the draft was sent or discarded. */
  readonly forget: () => void
}

export interface Form<Values extends FormValues> extends FormState {
  /** The fields' values: the state when the form opened, with the person's changes. */
  readonly values: Values
  readonly write: (changed: Partial<Values>) => void
  /** The changed fields, which are sent. */
  readonly changes: Partial<Values>
  /** All present fields with the changes, for operations that need every field. */
  readonly whole: Values
  /** The values that the person has seen, for objects without a version. */
  readonly seen: Values
  /** The version that the person has seen, as an input field. */
  readonly expected: { readonly version?: number }
}

interface Options<Values> {
  /** Object and purpose of the form, such as `title CLM-26`; the draft is stored under this name. */
  readonly name: string
  readonly labels: { readonly [Field in keyof Values]: string }
  /** The page's present state of the object; it may change while the form is open. */
  readonly now: Snapshot<Values>
  /** Changes that the form proposes, such as a dragged move. */
  readonly proposed?: Partial<Values>
  /** True when the whole object is affected, as for a deletion. */
  readonly isWhole?: boolean
  readonly words?: FormState['words']
}

// Only this file writes the value.
const parsed = <Values>(kept: string | null): FormDraft<Values> | null => (kept === null ? null : JSON.parse(kept))

/**
 * A form on an object that others change too. Its version and values are those of its opening, also after a reload. A
 * field that the person and another one have changed is a conflict, which the person decides. The draft is kept until
 * it is sent or discarded.
 */
export const useForm = <Values extends FormValues>({
  name,
  labels,
  now,
  proposed = {},
  isWhole = false,
  words,
}: Options<Values>): Form<Values> => {
  const [kept] = useDraft(name)
  const [first, setFirst] = useState(now)
  const [isContinued] = useState(kept !== null)
  const draft = useMemo<FormDraft<Values>>(() => parsed<Values>(kept) ?? { opened: first, written: {} }, [kept, first])
  /** Read at the call, because one event may write two fields. */
  const newest = () => parsed<Values>(readDraft(name)) ?? { opened: first, written: {} }
  const keep = (next: FormDraft<Values>) => keepDraft(name, JSON.stringify(next))
  const forget = () => {
    keepDraft(name, null)
    setFirst(now)
  }
  const filled = { ...draft, written: { ...proposed, ...draft.written } }
  const conflicts = conflictsOf(filled, now, isWhole)
  const { version, values: seen } = conflicts.length > 0 ? draft.opened : now
  return {
    name,
    labels,
    values: { ...draft.opened.values, ...filled.written },
    write: changed => {
      const before = newest()
      keep({ ...before, written: { ...before.written, ...changed } })
    },
    changes: changesOf(filled, now),
    whole: { ...now.values, ...changesOf(filled, now) },
    seen,
    expected: version === undefined ? {} : { version },
    conflicts,
    words,
    isContinued: isContinued && kept !== null,
    isChanged: isChanged(draft, now),
    decide: (field, decided) => {
      const next = withDecided({ ...newest(), written: { ...proposed, ...newest().written } }, now, field, decided)
      if (Object.keys(next.written).length === 0) forget()
      else keep(next)
    },
    forget,
  }
}

const NOTHING_LABELLED = {}

/** A form of a new object, which nobody else changes. */
export const useNewForm = <Values extends FormValues>(name: string, values: Values): Form<Values> =>
  // Labels are needed only for conflicts, which a new object cannot have.
  useForm({
    name,
    labels: NOTHING_LABELLED as { [Field in keyof Values]: string },
    now: { version: undefined, values },
  })
