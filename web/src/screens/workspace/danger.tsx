import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useOperation } from '../../api/hooks.ts'
import { RemoveMember } from '../members/remove-member.tsx'
import { Section } from './section.tsx'

/** What a person cannot take back by themselves. */
export const Danger = () => {
  const [dialog, setDialog] = useState(false)
  const { data } = useOperation('list_members', {})
  const you = data?.items.find(member => member.you)
  const isLastOwner = you?.role === 'owner' && data?.items.filter(({ role }) => role === 'owner').length === 1
  return (
    <Section title="Leave" about="You lose access at once, and your keys for this workspace are deleted.">
      <Group gap="sm">
        <Button variant="light" color="red" disabled={you === undefined || isLastOwner} onClick={() => setDialog(true)}>
          Leave this workspace
        </Button>
        {isLastOwner && (
          <Text size="sm" c="dimmed">
            You are its last owner: make somebody else an owner first.
          </Text>
        )}
      </Group>
      <RemoveMember of={dialog && you !== undefined ? you : null} onClose={() => setDialog(false)} />
    </Section>
  )
}
