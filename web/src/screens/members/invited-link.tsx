import { CloseButton, Group, Paper, Text, Title } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { Copyable } from '../../parts/copyable.tsx'

interface Props {
  readonly invited: Output<'invite_member'>
  readonly url: string
  readonly onClose: () => void
}

const day = (at: string): string => new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'long' })

/** The one time that the link of an invitation is shown. */
export const InvitedLink = ({ invited: { label, role, expires_at }, url, onClose }: Props) => (
  <Paper withBorder p="md" mt="md" radius="lg" bg="var(--app-ground)" component="section" aria-label="Invitation made">
    <Group justify="space-between" wrap="nowrap" align="flex-start" mb="md">
      <div role="status">
        <Title order={2} size="h3">
          A link for <bdi>{label}</bdi>
        </Title>
        <Text size="sm" c="dimmed">
          Whoever opens it first joins as {role}, until {day(expires_at)}. Send it yourself: it is shown this once.
        </Text>
      </div>
      <CloseButton onClick={onClose} aria-label="Hide the link" />
    </Group>
    <Copyable label="Link" text={url} />
  </Paper>
)
