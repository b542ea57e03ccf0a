import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useWrite } from '../../api/operations.ts'
import { useAccountChange } from '../../api/own-account.ts'
import { addPasskey, makesPasskeys, type OwnPasskey, PASSKEYS_KEY, readPasskeys } from '../../api/passkeys.ts'
import { t } from '../../language/messages.ts'
import { When } from '../../parts/inline.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
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
  const [name, setName] = useState(() => browserName(navigator.userAgent))
  const [password, setPassword] = useState('')
  const adding = useWrite(addPasskey, {
    onSuccess: async () => {
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
        <NameField label={t('What you call this passkey')} value={name} onChange={setName} />
        <PasswordField label={t('Your password, to add a passkey')} value={password} onChange={setPassword} />
        <Button type="submit" variant="default" loading={adding.isPending}>
          {t('Add a passkey')}
        </Button>
        {adding.error !== null && <ErrorState error={adding.error} title={t('No passkey was added')} />}
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
  <TextInput
    {...props}
    required
    withAsterisk={false}
    pattern=".*\S.*"
    maxLength={MAX_CHARACTERS.name}
    onChange={event => onChange(event.currentTarget.value)}
    w={360}
    maw="100%"
  />
)

const PasskeyTable = ({ passkeys }: { readonly passkeys: readonly OwnPasskey[] }) => (
  <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Passkey')}</Table.Th>
          <Table.Th w={130}>{t('Added')}</Table.Th>
          <Table.Th w={130}>{t('Last used')}</Table.Th>
          <Table.Th w={190} aria-label={t('Rename or remove')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {passkeys.map(passkey => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const PasskeyRow = ({
  passkey: { id, name, backed_up, created_at, last_used_at },
}: {
  readonly passkey: OwnPasskey
}) => {
  const [isRenamed, setIsRenamed] = useState(false)
  const removing = useAccountChange<{ id: string }>('passkeys/remove', {
    onSuccess: () => notifyDone(t('The passkey is removed. Remove it from your device, too.')),
  })
  if (isRenamed) return <Renaming id={id} name={name} onDone={() => setIsRenamed(false)} />
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
          onClick={() => setIsRenamed(true)}
          aria-label={t('Rename the passkey {name}', { name })}
        >
          {t('Rename')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          loading={removing.isPending}
          onClick={() => removing.mutate({ id }, { onError: notifyFailed })}
          aria-label={t('Remove the passkey {name}', { name })}
        >
          {t('Remove')}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

interface RenamingProps {
  readonly id: string
  readonly name: string
  readonly onDone: () => void
}

const Renaming = ({ id, name, onDone }: RenamingProps) => {
  const [wanted, setWanted] = useState(name)
  const renaming = useAccountChange<{ id: string; name: string }>('passkeys/rename', { onSuccess: onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate({ id, name: wanted.trim() }, { onError: notifyFailed })
  }
  return (
    <Table.Tr>
      <Table.Td colSpan={4}>
        <form onSubmit={submit}>
          <Group gap="sm" align="flex-end">
            <NameField label={t('New name of the passkey')} value={wanted} onChange={setWanted} />
            <Button type="submit" variant="default" loading={renaming.isPending}>
              {t('Rename')}
            </Button>
            <Button variant="subtle" onClick={onDone}>
              {t('Cancel')}
            </Button>
          </Group>
        </form>
      </Table.Td>
    </Table.Tr>
  )
}
