import { Box, Group, Text } from '@mantine/core'
import { STANDINGS, type Standing } from './standing.ts'
import classes from './treemap.module.css'

/** What the colours of the picture say. */
export const Legend = () => (
  <Group component="ul" gap="md" m={0} mt="sm" p={0} aria-label="Colours: newest metric point against the one before">
    {Object.entries(STANDINGS).map(([standing, { sign, says }]) => (
      <Group component="li" key={standing} gap={6} wrap="nowrap">
        {/* The keys of `STANDINGS` are what `Standing` lists. */}
        <Box className={classes.swatch ?? ''} data-standing={standing as Standing} aria-hidden />
        <Text size="xs" c="dimmed">
          {says}
          <span aria-hidden="true"> {sign}</span>
        </Text>
      </Group>
    ))}
  </Group>
)
