import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { t } from '../language/messages.ts'
import { ChangeForm, ChangeModal, type ChangeModalProps } from './change-dialog.tsx'

/** What a change hangs on: a Decision that the comment states, or one that was logged before. */
interface Grounds {
  readonly comment?: string
  readonly decision_id?: string
}

interface Props extends ChangeModalProps {
  /** The verb: `Move to Planned`. */
  readonly action: string
  /** What is decided, which follows the fields until somebody writes on; empty where a reason must be given. */
  readonly statement: string
  readonly onDecide: (grounds: Grounds) => void
  /** Fields of the change itself; the first with `data-autofocus` has the focus. */
  readonly children?: ReactNode
  /** What these need before they can be sent: `a title`. Null: nothing. */
  readonly missing?: string | null
}

/** Asks for the human Decision that a change hangs on. Ctrl or ⌘ with Enter decides. */
export const DecisionDialog = ({ opened, title, size = 'md', ...form }: Props) => (
  <ChangeModal opened={opened} onClose={form.onClose} title={title} size={size} change={form.change}>
    <DecisionForm {...form} />
  </ChangeModal>
)

type FormProps = Omit<Props, 'opened' | 'title' | 'size'>

const DecisionForm = ({ action, statement, change, onDecide, onClose, children, missing = null }: FormProps) => {
  const [written, setWritten] = useState<string | null>(null)
  const comment = written ?? statement
  const [earlier, setEarlier] = useState('')
  const said = comment.trim()
  const decided = said !== '' || earlier.trim() !== ''
  return (
    <ChangeForm
      change={change}
      action={action}
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
      <Textarea
        label={t('Decision')}
        description={t('What is decided and why. It is logged with your name, and can be reversed.')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_CHARACTERS.comment}
        value={comment}
        onChange={event => setWritten(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={t('Earlier Decision')}
        description={t('Optional: the one that this carries out.')}
        placeholder="DEC-4"
        w={220}
        value={earlier}
        onChange={event => setEarlier(event.currentTarget.value)}
      />
    </ChangeForm>
  )
}
