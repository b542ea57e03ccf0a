import { Text } from '@mantine/core'
import { MAX_CHARACTERS } from '../../../../../schemas/domain/limits.ts'
import type { SolutionState } from '../../../../../schemas/domain/vocabulary.ts'
import { t, word } from '../../../language/messages.ts'
import { statement } from '../../../language/statements.ts'
import { DecisionDialog } from '../../../parts/decision-dialog.tsx'
import { LimitedInput, LimitedTextarea } from '../../../parts/forms/limited-text.tsx'
import { useForm } from '../../../parts/forms/use-form.ts'
import type { SolutionOutput } from '../solution-parts.tsx'
import { useDecisionChange } from '../use-decision-change.ts'

const TELLS: Readonly<Partial<Record<SolutionState, string>>> = {
  Done: t('Done is final, and only a person decides it. What came of it is then recorded as its Outcome.'),
  Dropped: t('Say why: people who ask for it again will read this. It can return to the Backlog later.'),
}

interface MoveDialogProps {
  readonly solution: { readonly reference: string; readonly state: SolutionState; readonly version: number }
  readonly to: SolutionState
  readonly onClose: () => void
}

/** Asks for the Decision that moves a Solution to another state. */
export const MoveDialog = ({ solution: { reference, state, version }, to, onClose }: MoveDialogProps) => {
  const moving = useDecisionChange('update_solution', {
    doneMessage: t('{reference} is {to}.', { reference, to: word(to) }),
    onDone: onClose,
  })
  const form = useForm({
    name: `move ${reference} to ${to}`,
    labels: { state: t('State') },
    now: { version, values: { state: word(state) } },
    proposed: { state: word(to) },
  })
  const tells = TELLS[to]
  return (
    <DecisionDialog
      opened
      title={
        state === to
          ? t('Move {reference} to {to}', { reference, to: word(to) })
          : t('Move {reference} from {state} to {to}', { reference, state: word(state), to: word(to) })
      }
      action={t('Move to {to}', { to: word(to) })}
      // What is given up needs its reason, which only the person knows.
      statement={to === 'Dropped' ? null : statement('Move {reference} to {said}.', { reference, said: to })}
      change={moving}
      form={form}
      missing={state === to ? t('another state') : null}
      onClose={onClose}
      onDecide={grounds => moving.decide({ solution_id: reference, state: to, ...form.expected, ...grounds })}
    >
      {state === to ? (
        <Text size="sm" role="status">
          {t('It is {to} already: somebody has moved it meanwhile.', { to: word(to) })}
        </Text>
      ) : (
        tells !== undefined && <Text size="sm">{tells}</Text>
      )}
    </DecisionDialog>
  )
}

interface EditDialogProps {
  readonly solution: SolutionOutput
  readonly onClose: () => void
}

/** Changes what a Solution is called and what it is. Only what the person changed is sent. */
export const EditDialog = ({ solution: { reference, title, text, version }, onClose }: EditDialogProps) => {
  const form = useForm({
    name: `edit ${reference}`,
    labels: { title: t('Title'), summary: t('Summary') },
    now: { version, values: { title, summary: text } },
  })
  const { values, changes, write } = form
  const editing = useDecisionChange('update_solution', {
    doneMessage: t('{reference} is changed.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Edit {reference}', { reference })}
      action={t('Change it')}
      statement={statement('Describe {reference} more clearly.', { reference })}
      change={editing}
      form={form}
      missing={
        values.title.trim() === ''
          ? t('a title')
          : Object.keys(changes).length === 0
            ? t('a change of the title or the summary')
            : null
      }
      onClose={onClose}
      onDecide={grounds => editing.decide({ solution_id: reference, ...changes, ...form.expected, ...grounds })}
    >
      <LimitedInput
        label={t('Title')}
        data-autofocus
        most={MAX_CHARACTERS.title}
        value={values.title}
        onChange={event => write({ title: event.currentTarget.value })}
      />
      <LimitedTextarea
        label={t('Summary')}
        description={t('In Markdown.')}
        autosize
        minRows={4}
        maxRows={14}
        most={MAX_CHARACTERS.solutionSummary}
        value={values.summary}
        onChange={event => write({ summary: event.currentTarget.value })}
      />
    </DecisionDialog>
  )
}
