import { t } from '../../language/messages.ts'
import { ChangeDialog } from '../../parts/change-dialog.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'

const MAX_CHARACTERS = 60

interface Props {
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

/** Asks what the view of Triage that is shown is called. */
export const NameView = ({ onName, onClose }: Props) => {
  const form = useNewForm('new view', { name: '' })
  const name = form.values.name.trim()
  const submit = () => {
    form.forget()
    onName(name)
    onClose()
  }
  return (
    <ChangeDialog
      opened
      title={t('Save this view')}
      action={t('Save')}
      change={null}
      form={form}
      missing={name === '' ? t('a name') : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <LimitedInput
        label={t('Name')}
        most={MAX_CHARACTERS}
        value={form.values.name}
        onChange={event => form.write({ name: event.currentTarget.value })}
        data-autofocus
      />
    </ChangeDialog>
  )
}
