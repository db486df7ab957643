/** The workflow that `cairn validate --github-action` prints, pinned to the version that printed it. It needs no secret and writes nothing. */
export function renderWorkflow(packageName: string, version: string): string {
  return `# .github/workflows/cairn.yml: checks the memory of this project with every change of it.
name: Memory
on:
  push:
    paths: ['.memory/**', '.github/workflows/cairn.yml']
  pull_request:
    paths: ['.memory/**']
permissions:
  contents: read
jobs:
  validate:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      # Findings are shown beside the lines they are about. Exit code 7: something is wrong.
      - run: npx --yes ${packageName}@${version} validate --strict --deep --json
`
}
