import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { t } from '../../language/messages.ts'
import { Section } from '../../parts/page.tsx'
import { type Asked, FoundPerson } from './found-person.tsx'

interface Props {
  readonly workspace: string
}

const written = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** The way to a person: by an address, a name or both. What is found is shown before anything goes. */
export const FindPerson = ({ workspace }: Props) => {
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const [asked, setAsked] = useState<Asked | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const next = { address: written(address), name: written(name) }
    if (next.address !== null || next.name !== null) setAsked(next)
  }
  return (
    <Section
      title={t('A person')}
      about={t(
        'Finds what a person said by their address or name. Looking changes nothing: you see first what would go.',
      )}
    >
      <Stack gap="md">
        <form onSubmit={submit}>
          <Group gap="sm" align="flex-end">
            <TextInput
              label={t('Address')}
              type="email"
              value={address}
              onChange={event => setAddress(event.currentTarget.value)}
              autoComplete="off"
              flex={1}
              miw={180}
            />
            <TextInput
              label={t('Name')}
              value={name}
              onChange={event => setName(event.currentTarget.value)}
              autoComplete="off"
              flex={1}
              miw={180}
            />
            <Button type="submit" variant="default">
              {t('Look')}
            </Button>
          </Group>
        </form>
        {asked !== null && (
          <FoundPerson
            key={JSON.stringify(asked)}
            asked={asked}
            workspace={workspace}
            onErased={() => {
              setAsked(null)
              setAddress('')
              setName('')
            }}
          />
        )}
      </Stack>
    </Section>
  )
}
