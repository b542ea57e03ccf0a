import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { t } from '../language/messages.ts'
import type { Statement } from '../language/statements.ts'
import { ChangeForm, ChangeModal, type ChangeModalProps } from './change-dialog.tsx'
import type { FormValues, Snapshot } from './forms/form-model.ts'
import { LimitedTextarea } from './forms/limited-text.tsx'
import { type Form, type FormState, useForm } from './forms/use-form.ts'

/** Basis of a change: a Decision that the comment states, or an earlier one. */
interface Grounds {
  readonly comment?: string
  readonly decision_id?: string
}

interface Props extends ChangeModalProps {
  /** Form of the decided fields. The comment is stored in its draft. */
  readonly form: FormState
  /** The verb: `Move to Planned`. */
  readonly action: string
  /** Default statement, which follows the fields until the person edits it; null when a reason is required. */
  readonly statement: Statement | null
  readonly onDecide: (grounds: Grounds) => void
  /** Fields of the change itself; the first with `data-autofocus` gets the focus. */
  readonly children?: ReactNode
  /** The input that these still miss: `a title`. Null when nothing is missing. */
  readonly missing?: string | null
}

/** Asks for the human Decision behind a change. Ctrl or ⌘ with Enter decides. */
export const DecisionDialog = ({ opened, title, size = 'md', form: fields, ...dialog }: Props) => {
  const { onClose, change } = dialog
  const words = useForm({ name: `Decision on ${fields.name}`, labels: WORDS, now: NOTHING_SAID })
  const form: FormState = {
    ...fields,
    isContinued: fields.isContinued || words.isContinued,
    isChanged: fields.isChanged || words.isChanged,
    forget: () => {
      fields.forget()
      words.forget()
    },
  }
  return (
    <ChangeModal opened={opened} onClose={onClose} title={title} size={size} change={change} form={form}>
      <DecisionForm {...dialog} form={form} words={words} />
    </ChangeModal>
  )
}

interface Words extends FormValues {
  /** Null for the dialog's default text. */
  readonly comment: string | null
  readonly earlier: string
}

const WORDS = { comment: t('Decision'), earlier: t('Earlier Decision') }
const NOTHING_SAID: Snapshot<Words> = { version: undefined, values: { comment: null, earlier: '' } }

interface FormProps extends Omit<Props, 'opened' | 'title' | 'size'> {
  readonly words: Form<Words>
}

const DecisionForm = ({ words, statement, onDecide, onClose, children, missing = null, ...form }: FormProps) => {
  const { comment: written, earlier } = words.values
  const comment = written ?? statement?.shown ?? ''
  const typed = comment.trim()
  const said = typed === statement?.shown ? statement.stored : typed
  const decided = said !== '' || earlier.trim() !== ''
  return (
    <ChangeForm
      {...form}
      missing={missing ?? (decided ? null : t('what is decided and why, or an earlier Decision'))}
      onSubmit={() =>
        onDecide({
          ...(said !== '' && { comment: said }),
          ...(earlier.trim() !== '' && { decision_id: earlier.trim() }),
        })
      }
      onCancel={onClose}
    >
      {children}
      <LimitedTextarea
        label={t('Decision')}
        description={t('What is decided and why. It is logged with your name, and can be reversed.')}
        autosize
        minRows={2}
        maxRows={8}
        most={MAX_CHARACTERS.comment}
        value={comment}
        onChange={event => words.write({ comment: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label={t('Earlier Decision')}
        description={t('Optional: an earlier Decision that asked for this change.')}
        placeholder="DEC-4"
        w={220}
        value={earlier}
        onChange={event => words.write({ earlier: event.currentTarget.value })}
      />
    </ChangeForm>
  )
}
