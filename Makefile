# Every target in one line: make help
PYTHON ?= python3
STACK ?= eu-de-1
TOOLS = @command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not on PATH: install Python 3.11 or newer, or name one: make PYTHON=python3.12 ..."; exit 1; }; $(PYTHON) -m tools
RUN = @.venv/bin/python -m

.PHONY: help up down status preview check gate claims setup setup-all unit test thorough format bench env clean reference
.DEFAULT_GOAL := help

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read name text; do printf '  make %-10s %s\n' "$$name" "$$text"; done | sed 's/\$$\$$/$$/'

up: setup-all ## Run the region STACK on this machine: start its sandbox, then pulumi up against it
	$(RUN) model check $(STACK)
	$(RUN) sandbox up --name $(STACK)
	$(RUN) sandbox pulumi --name $(STACK) up --yes --skip-preview --suppress-outputs
	$(RUN) sandbox pulumi --name $(STACK) stack output readme

down: ## Remove the sandbox of STACK with everything in it
	$(RUN) sandbox down --name $(STACK)

status: ## Show the sandbox of STACK
	$(RUN) sandbox status --name $(STACK)

preview: ## Plan the region STACK (default eu-de-1); does the set-up first
	$(TOOLS) pulumi --stack $(STACK) preview

check: ## Say all that is wrong with the stack file of STACK, in a second; SINCE=revision: and what cannot change in place
	$(TOOLS) setup model
	$(RUN) model check $(STACK) $(if $(SINCE),--since $(SINCE))

gate: setup ## Check, plan and judge every stack without a cluster or credential; reports in .gate; ONLY=stack for one
	$(RUN) policies.gate $(ONLY)

claims: ## Make stack files of the claim manifests in FROM=folder; INTO=folder to write elsewhere
	$(TOOLS) setup model
	$(RUN) model claims $(or $(FROM),$(error name the folder with the claims: make claims FROM=folder)) $(if $(INTO),--into $(INTO))

setup: ## Install what preview and unit need, into .venv, .tools and your user's cache
	$(TOOLS) setup preview

setup-all: ## Install everything, the programs of the sandbox included
	$(TOOLS) setup preview sandbox

unit: setup ## Lint, types and the tests that need no server; five minutes
	$(RUN) tools.check --fast

test: setup-all ## Lint, types and the tests; an hour
	$(RUN) tools.check

thorough: setup-all ## All tests, those too that wait for minutes; an hour and a quarter
	$(RUN) tools.check --thorough

reference: setup ## Write the reference pages and JSON Schemas of stack files and policies anew
	$(RUN) model.schema
	$(RUN) policies.pages

format: setup ## Format the Python sources
	@.venv/bin/ruff format . && .venv/bin/ruff check --fix .

bench: setup ## Measure what must stay fast
	$(RUN) bench.imports
	$(RUN) bench.claims
	$(RUN) bench.policies

env: setup ## Print the lines with which the plain pulumi command works: eval "$$(make -s env)"
	$(TOOLS) env

clean: ## Remove what the set-up put into this folder; the user's cache stays
	@rm -rf .venv .tools crds/generated
