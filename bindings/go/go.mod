module alidade

go 1.19
