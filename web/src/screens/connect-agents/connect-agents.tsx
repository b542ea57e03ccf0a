import { Anchor, Button, CloseButton, Group, Loader, Paper, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { When } from '../../parts/inline.tsx'
import { LiveStatus } from '../../parts/live-status.tsx'
import { NotShownAgain } from '../../parts/not-shown-again.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { configurationsOf } from './configurations.ts'
import { KeyTable } from './key-table.tsx'

/** While a key was never used its first call may come at any moment, and the page shows it. */
const SOON_MS = 2000
const LATER_MS = 30_000

/** Settings → Account → Connect agents: the keys that agents act through. */
const ConnectAgents = () => {
  const [created, setCreated] = useState<Output<'create_key'> | null>(null)
  const [waits, setWaits] = useState(false)
  const { data, error, refetch } = useOperation('list_keys', {}, { refresh_ms: waits ? SOON_MS : LATER_MS })
  const isUnused = data?.items.some(({ last_used_at }) => last_used_at === null) ?? false
  useEffect(() => setWaits(isUnused), [isUnused])
  const used = data?.items.find(({ id }) => id === created?.id)?.last_used_at ?? null
  return (
    <Page width="reading">
      <PageHeader
        title={t('Connect agents')}
        about={rich(
          'An agent sees what you see in this workspace, over <link>MCP</link>, through a key that you can delete at any time.',
          {
            link: inner => (
              <Anchor
                href="https://modelcontextprotocol.io"
                target="_blank"
                rel="noreferrer"
                inherit
                underline="always"
              >
                {inner}
              </Anchor>
            ),
          },
        )}
      />
      <CreateKey onCreated={setCreated} />
      {created?.key != null && <CreatedKey secret={created.key} used={used} onClose={() => setCreated(null)} />}
      {created !== null && created.key === null && (
        <NotShownAgain>
          {t('The key was in the answer that was lost, and is not shown again. Delete it below, and create another.')}
        </NotShownAgain>
      )}
      <Title order={2} mt="xl" mb="sm">
        {t('Keys')}
      </Title>
      {data !== undefined && <KeyTable keys={data.items} />}
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
    </Page>
  )
}

export default ConnectAgents

interface CreateKeyProps {
  readonly onCreated: (created: Output<'create_key'>) => void
}

const CreateKey = ({ onCreated }: CreateKeyProps) => {
  const form = useNewForm('new key', { label: '' })
  const { label } = form.values
  const input = useRef<HTMLInputElement>(null)
  const creating = useChange('create_key', {
    draft: form.name,
    invalidates: ['list_keys'],
    onSuccess: created => {
      form.forget()
      onCreated(created)
    },
  })
  useKeys([{ key: 'c', does: t('Create a key for an agent'), run: () => input.current?.focus() }])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate({ label })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <LimitedInput
          ref={input}
          label={t('Label')}
          description={t('A name by which you recognize the key.')}
          placeholder={t('Planning agent')}
          required
          withAsterisk={false}
          most={MAX_CHARACTERS.name}
          value={label}
          onChange={event => form.write({ label: event.currentTarget.value })}
          flex={1}
          miw={220}
        />
        <Button type="submit" loading={creating.isPending}>
          {t('Create key')}
        </Button>
      </Group>
      <FormFailure form={null} error={creating.error} title={t('The key was not created')} />
    </form>
  )
}

interface CreatedKeyProps {
  readonly secret: string
  /** When an agent last called with it; null until the first call. */
  readonly used: string | null
  readonly onClose: () => void
}

/** The one time that a key is shown, with what each client wants to be told. */
const CreatedKey = ({ secret, used, onClose }: CreatedKeyProps) => {
  const configurations = configurationsOf(`${location.origin}/api/mcp`, secret)
  return (
    <Paper
      withBorder
      p="md"
      mt="md"
      radius="lg"
      bg="var(--app-ground)"
      component="section"
      aria-label={t('Key created')}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <LiveStatus>
            <Title order={2} size="h3">
              {t('Key created')}
            </Title>{' '}
            <Text size="sm" c="dimmed">
              {t('Copy it now: it is shown only once, because only its hash is stored.')}
            </Text>
          </LiveStatus>
        </div>
        <CloseButton onClick={onClose} aria-label={t('Hide the key')} />
      </Group>
      <Stack mt="md" gap="md">
        <Copyable label={t('Key')} text={secret} />
        <Tabs defaultValue={idOf(configurations[0].client)} keepMounted={false}>
          <Tabs.List aria-label={t('Clients')}>
            {configurations.map(({ client }) => (
              <Tabs.Tab key={client} value={idOf(client)}>
                {client}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {configurations.map(({ client, where, text }) => (
            <Tabs.Panel key={client} value={idOf(client)} pt="md">
              <Copyable label={where} text={text} />
            </Tabs.Panel>
          ))}
        </Tabs>
        <Group gap="sm" role="status">
          {used === null ? (
            <>
              <Loader size={14} aria-hidden />
              <Text size="sm">{t('Waiting for its first call. This page shows it within seconds.')}</Text>
            </>
          ) : (
            <>
              <IconCheck size={16} color="var(--mantine-color-teal-7)" aria-hidden />
              <Text size="sm">{rich('An agent is connected. It called {when}.', { when: <When at={used} /> })}</Text>
            </>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

/** A tab’s value becomes part of an element’s id, which has no spaces. */
const idOf = (client: string): string => client.toLowerCase().replaceAll(' ', '-')
