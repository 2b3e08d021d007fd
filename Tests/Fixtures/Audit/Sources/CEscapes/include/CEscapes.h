#pragma once

long seconds(void);
