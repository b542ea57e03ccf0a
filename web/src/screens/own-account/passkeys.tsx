import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useDraft } from '../../api/drafts.ts'
import { useWrite } from '../../api/operations.ts'
import { useAccountChange } from '../../api/own-account.ts'
import { addPasskey, makesPasskeys, type OwnPasskey, PASSKEYS_KEY, readPasskeys } from '../../api/passkeys.ts'
import { t } from '../../language/messages.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
import { FormFailure, FormNotes } from '../../parts/forms/form-notes.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useForm, useNewForm } from '../../parts/forms/use-form.ts'
import { When } from '../../parts/inline.tsx'
import { QuietHead, ScrollingTable } from '../../parts/lists.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { browserName } from './browser-name.ts'
import { PasswordField } from './two-factor.tsx'

/** Passkeys of the person’s devices, each of which signs them in without the password. */
export const Passkeys = () => {
  const { data, error, refetch } = useQuery({ queryKey: PASSKEYS_KEY, queryFn: readPasskeys })
  return (
    <Section
      title={t('Passkeys')}
      about={t(
        'Sign in with a fingerprint, a face or the PIN of your device, without the password and the second factor. You have lost a device? Remove its passkey here.',
      )}
    >
      <Stack gap="md">
        {data === undefined &&
          (error === null ? <LoadingState rows={1} /> : <ErrorState error={error} retry={refetch} />)}
        {data !== undefined && data.length > 0 && <PasskeyTable passkeys={data} />}
        {makesPasskeys() ? <AddPasskey /> : <Text size="sm">{MAKES_NONE}</Text>}
      </Stack>
    </Section>
  )
}

const MAKES_NONE = t(
  'This browser cannot make passkeys here. It needs an address with a name and https://, and a version of 2025 or newer.',
)

const AddPasskey = () => {
  const queries = useQueryClient()
  const form = useNewForm('new passkey', { name: browserName(navigator.userAgent) })
  const { name } = form.values
  const [password, setPassword] = useState('')
  const adding = useWrite(addPasskey, {
    onSuccess: async () => {
      form.forget()
      setPassword('')
      await queries.invalidateQueries({ queryKey: PASSKEYS_KEY })
      notifyDone(t('Your passkey is added.'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    adding.mutate({ name: name.trim(), password })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <NameField
          label={t('What you call this passkey')}
          value={name}
          onChange={value => form.write({ name: value })}
        />
        <PasswordField label={t('Your password, to add a passkey')} value={password} onChange={setPassword} />
        <Button type="submit" variant="default" loading={adding.isPending}>
          {t('Add a passkey')}
        </Button>
        <FormFailure form={null} error={adding.error} title={t('No passkey was added')} />
      </Stack>
    </form>
  )
}

interface NameFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const NameField = ({ onChange, ...props }: NameFieldProps) => (
  <LimitedInput
    {...props}
    required
    withAsterisk={false}
    pattern=".*\S.*"
    most={MAX_CHARACTERS.name}
    onChange={event => onChange(event.currentTarget.value)}
    w={360}
    maw="100%"
  />
)

const PasskeyTable = ({ passkeys }: { readonly passkeys: readonly OwnPasskey[] }) => (
  <ScrollingTable minWidth={480} label={t('Passkeys')}>
    <Table aria-label={t('Passkeys')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Passkey')}</Table.Th>
          <Table.Th w={130}>{t('Added')}</Table.Th>
          <Table.Th w={130}>{t('Last used')}</Table.Th>
          <QuietHead w={190} label={t('Rename or remove')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {passkeys.map(passkey => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </Table.Tbody>
    </Table>
  </ScrollingTable>
)

const PasskeyRow = ({
  passkey: { id, name, backed_up, created_at, last_used_at },
}: {
  readonly passkey: OwnPasskey
}) => {
  const [isBegun, setBegun] = useState(false)
  const [isRemoved, setRemoved] = useState(false)
  const [draft] = useDraft(draftOf(id))
  if (isBegun || draft !== null) return <Renaming id={id} name={name} onDone={() => setBegun(false)} />
  return (
    <Table.Tr>
      <Table.Td>
        <bdi>{name}</bdi>
        {backed_up && (
          <Text span size="xs" c="dimmed">
            {' '}
            {t('on your other devices, too')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <When at={created_at} />
      </Table.Td>
      <Table.Td>{last_used_at === null ? '–' : <When at={last_used_at} />}</Table.Td>
      <Table.Td ta="end">
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => setBegun(true)}
          aria-label={t('Rename the passkey {name}', { name })}
        >
          {t('Rename')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={() => setRemoved(true)}
          aria-label={t('Remove the passkey {name}', { name })}
        >
          {t('Remove')}
        </Button>
        {isRemoved && <RemovePasskey id={id} name={name} onClose={() => setRemoved(false)} />}
      </Table.Td>
    </Table.Tr>
  )
}

interface RemovePasskeyProps {
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}

const RemovePasskey = ({ id, name, onClose }: RemovePasskeyProps) => {
  const removing = useAccountChange<{ id: string }>('passkeys/remove', {
    onSuccess: () => {
      onClose()
      notifyDone(t('The passkey is removed. Remove it from your device, too.'))
    },
  })
  return (
    <Confirm
      opened
      title={t('Remove the passkey {name}?', { name })}
      action={t('Remove passkey')}
      change={removing}
      onConfirm={() => removing.mutate({ id })}
      onClose={onClose}
    >
      {t('It signs nobody in any more, and cannot be brought back. You can add another one at any time.')}
    </Confirm>
  )
}

/** Also one that was begun before the page was loaded anew is open. */
const draftOf = (id: string): string => `name of passkey ${id}`

interface RenamingProps {
  readonly id: string
  readonly name: string
  readonly onDone: () => void
}

const Renaming = ({ id, name, onDone }: RenamingProps) => {
  const form = useForm({
    name: draftOf(id),
    labels: { name: t('Name') },
    now: { version: undefined, values: { name } },
  })
  const close = () => {
    form.forget()
    onDone()
  }
  const renaming = useAccountChange<{ id: string; name: string }>('passkeys/rename', { onSuccess: close })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.conflicts.length === 0) renaming.mutate({ id, name: form.values.name.trim() })
  }
  return (
    <Table.Tr>
      <Table.Td colSpan={4}>
        <form onSubmit={submit}>
          <Group gap="sm" align="flex-end">
            <NameField
              label={t('New name of the passkey')}
              value={form.values.name}
              onChange={value => form.write({ name: value })}
            />
            <Button type="submit" variant="default" loading={renaming.isPending}>
              {t('Rename')}
            </Button>
            <Button variant="subtle" onClick={close}>
              {t('Cancel')}
            </Button>
          </Group>
        </form>
        <FormNotes form={form} />
        <FormFailure form={form} error={renaming.error} title={t('It was not renamed')} />
      </Table.Td>
    </Table.Tr>
  )
}
