import { Button, Checkbox, Group, List, Paper, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Input, type Output, useChange, useOperation } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { LiveStatus } from '../../parts/live-status.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { ConfirmName } from './confirm-name.tsx'
import { placeName } from './erasure-item.tsx'

interface Props {
  readonly workspace: string
}

const written = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** The way to a person: by an address, a name or both. What is found is shown before anything goes. */
export const FindPerson = ({ workspace }: Props) => {
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const [person, setPerson] = useState<SoughtPerson | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const next = { address: written(address), name: written(name) }
    if (next.address !== null || next.name !== null) setPerson(next)
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
        {person !== null && (
          <FoundPerson
            key={JSON.stringify(person)}
            person={person}
            workspace={workspace}
            onErased={() => {
              setPerson(null)
              setAddress('')
              setName('')
            }}
          />
        )}
      </Stack>
    </Section>
  )
}

/** Whom to look for, as it was written. */
type SoughtPerson = Input<'preview_erasure'>['person']

interface FoundPersonProps {
  readonly person: SoughtPerson
  readonly workspace: string
  readonly onErased: () => void
}

type Found = Output<'preview_erasure'>

/** What would go: who it is, what goes with them, and where else they are named. */
const FoundPerson = ({ person, workspace, onErased }: FoundPersonProps) => {
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const [masks, setMasks] = useState(false)
  const input = { person, ...(chosen !== null && { actors: [...chosen] }) }
  const { data, error, refetch } = useOperation('preview_erasure', input, { keep: true })
  const erasing = useChange('erase_person', {
    invalidates: ['list_erasures'],
    onSuccess: () => {
      notifyDone(t('The erasure has begun. You can leave this page.'))
      onErased()
    },
  })
  if (data === undefined)
    return error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />
  const actors = chosen ?? data.actors.filter(({ is_address }) => is_address).map(({ actor }) => actor)
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Actors found={data.actors} chosen={actors} onChoose={setChosen} />
        <LiveStatus>
          <Text size="sm">{consequencesOf(data, actors)}</Text>
        </LiveStatus>
        {data.mentions.length > 0 && (
          <>
            <Mentions mentions={data.mentions} />
            <Checkbox
              label={t('Mask the name and the address wherever else they stand')}
              description={t('Each becomes [ERASED]. Do not choose this if somebody else has the same name.')}
              checked={masks}
              onChange={event => setMasks(event.currentTarget.checked)}
            />
          </>
        )}
        <ConfirmName
          workspace={workspace}
          action={t('Erase the person')}
          missing={actors.length === 0 && !masks && person.address === null ? t('Choose who it is first.') : null}
          change={erasing}
          onConfirm={confirm => erasing.mutate({ person, actors: [...actors], masks_words: masks, confirm })}
        />
      </Stack>
    </Paper>
  )
}

interface ActorsProps {
  readonly found: Found['actors']
  readonly chosen: readonly string[]
  readonly onChoose: (actors: readonly string[]) => void
}

/** Whom the address and the name find. An address is one person; a name may be several. */
const Actors = ({ found, chosen, onChoose }: ActorsProps) => {
  if (found.length === 0) return <Text size="sm">{t('No signal here is from this address or name.')}</Text>
  return (
    <Checkbox.Group
      label={t('Who it is')}
      description={t('An address belongs to one person. Several people may have the same name: choose the right ones.')}
      value={[...chosen]}
      onChange={onChoose}
    >
      <Stack gap="xs" mt="sm">
        {found.map(({ actor, name, source, is_address, has_address, signals, repeats }) => (
          <Checkbox
            key={actor}
            value={actor}
            label={<bdi>{name ?? (is_address ? t('Without a name') : actor)}</bdi>}
            description={[
              is_address ? t('this address') : has_address ? t('another address') : t('no address'),
              ...(source === null ? [] : [source]),
              counted(signals, 'signal'),
              ...(repeats > 0 ? [counted(repeats, 'repeat')] : []),
            ].join(' · ')}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

const consequencesOf = (data: Found, actors: readonly string[]): string => {
  if (actors.length === 0) return t('Nobody is chosen, so no signal would be erased.')
  const erased = data.actors.filter(({ actor }) => actors.includes(actor))
  const sum = (of: 'signals' | 'repeats') => erased.reduce((total, one) => total + one[of], 0)
  return [
    t('{signals} and {repeats} would be erased', {
      signals: counted(sum('signals'), 'signal'),
      repeats: counted(sum('repeats'), 'repeat'),
    }),
    ...(data.comments > 0 ? [t('with {comments}', { comments: counted(data.comments, 'comment') })] : []),
    t('. {claims} would keep the evidence of others, {emptied} would be emptied and dismissed.', {
      claims: counted(data.claims_kept, 'claim'),
      emptied: data.claims_emptied.toLocaleString(language),
    }),
    ...(data.repeats_of_others > 0
      ? [
          ` ${t('{repeats} of others would take the place of what is erased.', { repeats: counted(data.repeats_of_others, 'repeat') })}`,
        ]
      : []),
    ...(data.dead_letters_to_read > 0
      ? [
          ` ${t('{deadLetters} would be read, and those of the person erased.', { deadLetters: counted(data.dead_letters_to_read, 'dead letter') })}`,
        ]
      : []),
  ].join('')
}

interface MentionsProps {
  readonly mentions: Output<'preview_erasure'>['mentions']
}

/** Where others wrote the name or the address, with what is around it. */
const Mentions = ({ mentions }: MentionsProps) => (
  <Stack gap="xs">
    <Text size="sm" fw={550}>
      {t('Named elsewhere')}
    </Text>
    <List size="sm" spacing="xs">
      {mentions.map(({ place, rows, samples }) => (
        <List.Item key={place}>
          {placeName(place)}: {counted(rows, 'place')}
          {samples[0] !== undefined && (
            <Text size="xs" c="dimmed" component="div" lineClamp={2}>
              <bdi>… {samples[0]} …</bdi>
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  </Stack>
)
