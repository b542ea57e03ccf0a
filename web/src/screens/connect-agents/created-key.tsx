import { CloseButton, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core'
import { Copyable } from '../../parts/copyable.tsx'
import { configurationsOf } from './configurations.ts'

interface Props {
  readonly secret: string
  readonly onClose: () => void
}

/** The one time that a key is shown, with what each client wants to be told. */
export const CreatedKey = ({ secret, onClose }: Props) => {
  const configurations = configurationsOf(`${location.origin}/api/mcp`, secret)
  return (
    <Paper withBorder p="md" mt="md" radius="lg" bg="var(--app-ground)" component="section" aria-label="Key created">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div role="status">
          <Title order={2} size="h3">
            Key created
          </Title>
          <Text size="sm" c="dimmed">
            Copy it now: it is shown this once, and only its hash is stored.
          </Text>
        </div>
        <CloseButton onClick={onClose} aria-label="Hide the key" />
      </Group>
      <Stack mt="md" gap="md">
        <Copyable label="Key" text={secret} />
        <Tabs defaultValue={idOf(configurations[0].client)} keepMounted={false}>
          <Tabs.List aria-label="Clients">
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
      </Stack>
    </Paper>
  )
}

/** A tab’s value becomes part of an element’s id, which has no spaces. */
const idOf = (client: string): string => client.toLowerCase().replaceAll(' ', '-')
