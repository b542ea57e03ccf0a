import { List, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { deleteAccount } from '../../api/accounts.ts'
import { type Output, useOperation, useWrite } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ChangeDialog } from '../../parts/change-dialog.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { useIsUsed } from '../../shell/use-interaction.ts'
import { PasswordField } from './two-factor.tsx'

interface DeletionProps {
  readonly email: string
  /** Not of who comes by single sign-on alone. */
  readonly asksForPassword: boolean
}

/** What deleting the account would do, before anybody is asked. */
export const Deletion = ({ email, asksForPassword }: DeletionProps) => {
  const [dialog, setDialog] = useState(false)
  // Below all else, and wanted by few: looked up once the page is used.
  const isUsed = useIsUsed()
  const { data, error, refetch } = useOperation('preview_account_deletion', {}, { enabled: isUsed })
  const refused = data !== undefined && (data.to_transfer.length > 0 || data.last_administrator)
  return (
    <Section
      title={t('Delete the account')}
      about={t(
        'Your sessions, memberships, keys and open invitations are deleted at once. What you wrote in workspaces of others stays, under your name.',
      )}
    >
      {isUsed &&
        data === undefined &&
        (error === null ? <LoadingState rows={1} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && <Consequences of={data} />}
      <TellingButton
        color="red.9"
        variant="outline"
        missing={
          refused
            ? t('First do what is described above.')
            : data === undefined
              ? t('Looking up what it would delete…')
              : null
        }
        onClick={() => setDialog(true)}
      >
        {t('Delete account')}
      </TellingButton>
      {dialog && <DeleteAccount email={email} asksForPassword={asksForPassword} onClose={() => setDialog(false)} />}
    </Section>
  )
}

const Consequences = ({
  of: { to_transfer, deleted, last_administrator },
}: {
  readonly of: Output<'preview_account_deletion'>
}) => (
  <>
    {last_administrator && (
      <Text size="sm" mb="sm">
        {t('You are the only administrator: make somebody else one first, under Settings → Installation.')}
      </Text>
    )}
    <Workspaces
      of={to_transfer}
      about={t(
        'Others work there and you are the only owner. Make one of them an owner first, under Settings → Members:',
      )}
    />
    <Workspaces
      of={deleted}
      about={t('Nobody else is in these. They are deleted with everything in them, for good:')}
    />
  </>
)

interface WorkspacesProps {
  readonly of: readonly { readonly id: string; readonly name: string }[]
  readonly about: string
}

const Workspaces = ({ of: workspaces, about }: WorkspacesProps) =>
  workspaces.length > 0 && (
    <>
      <Text size="sm">{about}</Text>
      <List size="sm" mb="sm">
        {workspaces.map(({ id, name }) => (
          <List.Item key={id}>
            <bdi>{name}</bdi>
          </List.Item>
        ))}
      </List>
    </>
  )

interface DeleteAccountProps extends DeletionProps {
  readonly onClose: () => void
}

/** Asks for the address, written out, and the password. */
const DeleteAccount = ({ email, asksForPassword, onClose }: DeleteAccountProps) => {
  const [written, setWritten] = useState('')
  const [password, setPassword] = useState('')
  // Nothing is asked again: there is nobody any more.
  const deleting = useWrite(deleteAccount)
  const isWritten = written.trim().toLowerCase() === email
  return (
    <ChangeDialog
      opened
      title={t('Delete your account?')}
      action={t('Delete account')}
      danger
      change={deleting}
      // Written out to confirm, and a password: nothing of it is kept.
      form={null}
      failed={t('Your account was not deleted')}
      missing={
        !isWritten ? t('your e-mail, written out') : asksForPassword && password === '' ? t('your password') : null
      }
      onSubmit={() => deleting.mutate(asksForPassword ? { password } : {})}
      onClose={onClose}
    >
      <Text size="sm">
        {t('This cannot be undone. Nobody can bring back what was in workspaces that were yours alone.')}
      </Text>
      <TextInput
        label={rich('Write {email} to confirm', { email: <bdi>{email}</bdi> })}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        value={written}
        onChange={event => setWritten(event.currentTarget.value)}
      />
      {asksForPassword && <PasswordField label={t('Your password')} value={password} onChange={setPassword} />}
    </ChangeDialog>
  )
}
